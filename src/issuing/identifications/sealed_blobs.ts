/**
 * Blobs sealed under a key of their own. Bytes are cut into chunks of 64 KiB, each encrypted and
 * authenticated by itself (AES-256-GCM), so that neither end of a file waits for the other and any
 * range can be read. A chunk's nonce is its number and whether it is the last: chunks cannot be
 * swapped, repeated or cut off undetected. The file's key is sealed in the database; the store
 * alone cannot open it.
 */

import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import type { BlobStore, ByteRange, Bytes } from '#kit/files/blobs.ts'
import type { Keyring } from '#kit/keys/keyring.ts'

const CHUNK_BYTES = 64 * 1024
const TAG_BYTES = 16
const SEALED_CHUNK_BYTES = CHUNK_BYTES + TAG_BYTES
const KEY_BYTES = 32
const FORMAT = Buffer.from('bezant file 1')

export type SealedBlob = { key: string; sealed_key: Buffer; size: number }

/** Puts the bytes under `key`, to which the key of the file is bound. */
export async function putSealed(
  store: BlobStore,
  keys: Keyring,
  key: string,
  bytes: Bytes,
): Promise<SealedBlob & { sha256: Buffer }> {
  const fileKey = randomBytes(KEY_BYTES)
  const hash = createHash('sha256')
  let size = 0
  const counted = async function* () {
    for await (const chunk of bytes) {
      hash.update(chunk)
      size += chunk.length
      yield chunk
    }
  }
  await store.put(key, sealChunks(counted(), fileKey))
  return { key, sealed_key: keys.seal('files', fileKey, key), size, sha256: hash.digest() }
}

/** The clear bytes of a range. Throws while it yields where the stored bytes were changed. */
export async function* readSealed(
  store: BlobStore,
  keys: Keyring,
  { key, sealed_key, size }: SealedBlob,
  range: ByteRange = { start: 0, end: size },
): AsyncGenerator<Buffer> {
  const fileKey = keys.open('files', sealed_key, key)
  const last = lastChunkOf(size)
  const first = Math.floor(range.start / CHUNK_BYTES)
  const until = Math.min(last, Math.floor(Math.max(range.start, range.end - 1) / CHUNK_BYTES))
  const sealed = store.get(key, {
    start: first * SEALED_CHUNK_BYTES,
    end: Math.min((until + 1) * SEALED_CHUNK_BYTES, size + (last + 1) * TAG_BYTES),
  })
  let number = first
  for await (const chunk of inChunks(sealed, SEALED_CHUNK_BYTES)) {
    const clear = openChunk(fileKey, { number, isLast: number === last }, chunk)
    const base = number * CHUNK_BYTES
    yield clear.subarray(Math.max(0, range.start - base), Math.max(0, range.end - base))
    number += 1
  }
  if (number !== until + 1) throw new Error('the stored file is cut short')
}

/** An empty file has one empty chunk. */
const lastChunkOf = (size: number) => Math.max(0, Math.ceil(size / CHUNK_BYTES) - 1)

async function* sealChunks(bytes: Bytes, key: Buffer): AsyncGenerator<Buffer> {
  let waiting: Buffer | undefined
  let number = 0
  for await (const chunk of inChunks(bytes, CHUNK_BYTES)) {
    if (waiting) yield* sealChunk(key, { number: number++, isLast: false }, waiting)
    waiting = chunk
  }
  yield* sealChunk(key, { number, isLast: true }, waiting ?? Buffer.alloc(0))
}

/**
 * Pieces of exactly this length, except the last. Two buffers alternate, so that a large file
 * makes no garbage: a piece is valid until the next but one is requested.
 */
async function* inChunks(bytes: Bytes, length: number): AsyncGenerator<Buffer> {
  let [filling, filled_before] = [Buffer.allocUnsafe(length), Buffer.allocUnsafe(length)]
  let filled = 0
  for await (const arrived of bytes) {
    for (let at = 0; at < arrived.length; ) {
      const copied = arrived.copy(filling, filled, at)
      at += copied
      filled += copied
      if (filled < length) continue
      yield filling
      ;[filling, filled_before] = [filled_before, filling]
      filled = 0
    }
  }
  if (filled > 0) yield filling.subarray(0, filled)
}

type Place = { number: number; isLast: boolean }

function nonceOf({ number, isLast }: Place): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUInt32BE(number, 7)
  nonce.writeUInt8(isLast ? 1 : 0, 11)
  return nonce
}

function* sealChunk(key: Buffer, place: Place, clear: Buffer): Generator<Buffer> {
  const cipher = createCipheriv('aes-256-gcm', key, nonceOf(place)).setAAD(FORMAT)
  yield cipher.update(clear)
  cipher.final()
  yield cipher.getAuthTag()
}

function openChunk(key: Buffer, place: Place, sealed: Buffer): Buffer {
  const tagAt = sealed.length - TAG_BYTES
  if (tagAt < 0) throw new Error('the stored file is cut short')
  const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(place), {
    authTagLength: TAG_BYTES,
  })
    .setAAD(FORMAT)
    .setAuthTag(sealed.subarray(tagAt))
  const clear = decipher.update(sealed.subarray(0, tagAt))
  // Throws unless every byte is as it was sealed.
  decipher.final()
  return clear
}
