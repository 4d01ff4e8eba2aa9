/**
 * Whether a PDF opens without a password, and its key (ISO 32000-2, 7.6.4). A statement of a bank
 * has a password of its owner alone, against changes: every reader opens it.
 */

import { createCipheriv, createDecipheriv, createHash } from 'node:crypto'
import type { Value } from '../rules/pdf/objects.ts'

type Dictionary = ReadonlyMap<string, Value>
export type Stream = { number: number; generation: number; bytes: Buffer }
/** Makes plain what the key of the file has encrypted. */
export type Decrypt = (stream: Stream) => Buffer

/** Fills up a password before it is hashed; the empty password is nothing else. */
const PAD = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex')

/** Undefined where a password is needed, or the encryption is none that the standard has. */
export function openWithoutPassword(encrypt: Dictionary, id: Buffer): Decrypt | undefined {
  const filter = encrypt.get('Filter')
  if (filter?.kind !== 'name' || filter.text !== 'Standard') return undefined
  const revision = numberOf(encrypt, 'R')
  if (revision === undefined || revision < 2 || revision > 6) return undefined
  const key = revision >= 5 ? longKey(encrypt, revision) : shortKey(encrypt, revision, id)
  return key && decryptWith(key, methodOf(encrypt))
}

function numberOf(dictionary: Dictionary, name: string): number | undefined {
  const value = dictionary.get(name)
  const number = value?.kind === 'word' ? Number(value.text) : Number.NaN
  return Number.isInteger(number) ? number : undefined
}

function bytesOf(dictionary: Dictionary, name: string, length: number): Buffer | undefined {
  const value = dictionary.get(name)
  return value?.kind === 'string' && value.bytes.length >= length
    ? value.bytes.subarray(0, length)
    : undefined
}

const md5 = (...parts: Buffer[]) => createHash('md5').update(Buffer.concat(parts)).digest()
const sha256 = (...parts: Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest()

/** The key of 40 to 128 bits (revisions 2 to 4). */
function shortKey(encrypt: Dictionary, revision: number, id: Buffer): Buffer | undefined {
  const [owner, user] = [bytesOf(encrypt, 'O', 32), bytesOf(encrypt, 'U', 16)]
  const permissions = numberOf(encrypt, 'P')
  if (!owner || !user || permissions === undefined) return undefined
  const bits = revision === 2 ? 40 : revision === 4 ? 128 : (numberOf(encrypt, 'Length') ?? 40)
  const length = Math.min(16, Math.max(5, Math.floor(bits / 8)))
  const allowed = Buffer.alloc(4)
  allowed.writeUInt32LE(permissions >>> 0)
  const metadata = encrypt.get('EncryptMetadata')
  const isPlain = revision === 4 && metadata?.kind === 'word' && metadata.text === 'false'
  let key: Buffer = md5(PAD, owner, allowed, id, Buffer.alloc(isPlain ? 4 : 0, 0xff)).subarray(
    0,
    length,
  )
  if (revision === 2) return rc4(key, PAD).subarray(0, 16).equals(user) ? key : undefined
  for (let round = 0; round < 50; round++) key = md5(key).subarray(0, length)
  let proof: Buffer = md5(PAD, id)
  for (let round = 0; round < 20; round++) {
    proof = rc4(
      key.map((byte) => byte ^ round),
      proof,
    )
  }
  return proof.equals(user) ? key : undefined
}

/** The key of 256 bits: hash, salt of the proof and salt of the key follow each other in U. */
function longKey(encrypt: Dictionary, revision: number): Buffer | undefined {
  const [user, sealed] = [bytesOf(encrypt, 'U', 48), bytesOf(encrypt, 'UE', 32)]
  if (!user || !sealed) return undefined
  const hash = revision === 5 ? sha256 : hardened
  if (!hash(user.subarray(32, 40)).equals(user.subarray(0, 32))) return undefined
  const opener = createDecipheriv('aes-256-cbc', hash(user.subarray(40, 48)), Buffer.alloc(16))
  return opener.setAutoPadding(false).update(sealed)
}

/** Algorithm 2.B of an empty password. */
function hardened(salt: Buffer): Buffer {
  let key = sha256(salt)
  for (let round = 0, last = 0; round < 64 || last > round - 32; round++) {
    const repeated = Buffer.concat(Array.from({ length: 64 }, () => key))
    const cipher = createCipheriv('aes-128-cbc', key.subarray(0, 16), key.subarray(16, 32))
    const sealed = cipher.setAutoPadding(false).update(repeated)
    const rest = sealed.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3
    const name = ['sha256', 'sha384', 'sha512'][rest] ?? 'sha256'
    key = createHash(name).update(sealed).digest()
    last = sealed.at(-1) ?? 0
  }
  return key.subarray(0, 32)
}

type Method = 'None' | 'V2' | 'AESV2' | 'AESV3'

/** How streams are encrypted. */
function methodOf(encrypt: Dictionary): Method {
  const version = numberOf(encrypt, 'V') ?? 0
  if (version < 4) return 'V2'
  const [filters, used] = [encrypt.get('CF'), encrypt.get('StmF')]
  if (filters?.kind !== 'dictionary' || used?.kind !== 'name') return 'None'
  const filter = filters.entries.get(used.text)
  const method = filter?.kind === 'dictionary' ? filter.entries.get('CFM') : undefined
  const known: Method[] = ['V2', 'AESV2', 'AESV3']
  return known.find((one) => method?.kind === 'name' && method.text === one) ?? 'None'
}

function decryptWith(key: Buffer, method: Method): Decrypt {
  return ({ number, generation, bytes }) => {
    if (method === 'None') return bytes
    if (method === 'AESV3') return aes('aes-256-cbc', key, bytes)
    const of = Buffer.alloc(5)
    of.writeUIntLE(number % 0x1000000, 0, 3)
    of.writeUIntLE(generation % 0x10000, 3, 2)
    const salt = Buffer.from(method === 'AESV2' ? 'sAlT' : '')
    const own = md5(key, of, salt).subarray(0, Math.min(16, key.length + 5))
    return method === 'V2' ? rc4(own, bytes) : aes('aes-128-cbc', own, bytes)
  }
}

/** The first block is the initial vector; an incomplete last block is left out. */
function aes(name: 'aes-128-cbc' | 'aes-256-cbc', key: Buffer, bytes: Buffer): Buffer {
  const length = bytes.length - (bytes.length % 16)
  const expected = name === 'aes-256-cbc' ? 32 : 16
  if (length < 32 || key.length !== expected) return Buffer.alloc(0)
  const opener = createDecipheriv(name, key, bytes.subarray(0, 16)).setAutoPadding(false)
  return opener.update(bytes.subarray(16, length))
}

/** Node's OpenSSL has it no longer. */
function rc4(key: Uint8Array, bytes: Uint8Array): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, at) => at)
  const at = (place: number) => state[place & 255] ?? 0
  const swap = (one: number, other: number) => {
    ;[state[one], state[other]] = [at(other), at(one)]
  }
  for (let one = 0, other = 0; one < 256; one++) {
    other = (other + at(one) + (key[one % key.length] ?? 0)) & 255
    swap(one, other)
  }
  const plain = Buffer.alloc(bytes.length)
  for (let place = 0, one = 0, other = 0; place < bytes.length; place++) {
    one = (one + 1) & 255
    other = (other + at(one)) & 255
    swap(one, other)
    plain[place] = (bytes[place] ?? 0) ^ at(at(one) + at(other))
  }
  return plain
}
