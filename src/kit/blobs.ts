/**
 * Where bytes lie that are too large for the database (D-28). A put is whole or not at all; what a
 * crash leaves behind is found by its key, so that `remove` takes it away too.
 */

import { createReadStream } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncFolder } from './folder.ts'

/** From `start` up to, but without, `end`. */
export type ByteRange = { start: number; end: number }

export type Bytes = AsyncIterable<Buffer>

export type BlobStore = {
  /** Keeps the bytes under a key that was never used before. */
  put: (key: string, bytes: Bytes) => Promise<void>
  get: (key: string, range: ByteRange) => Bytes
  /** Also for a key that was never put, or only in part. */
  remove: (key: string) => Promise<void>
}

/** The store cannot be reached, is full or has lost the bytes. HTTP 503 (D-9). */
export class BlobStoreUnavailable extends Error {
  constructor(cause: unknown) {
    super('the file store is not available', { cause })
    this.name = 'BlobStoreUnavailable'
  }
}

/** Keys are made by the house, never from input: a tenant's folder and an id in it. */
const KEY = /^[0-9a-f-]{36}\/[0-9a-f-]{36}$/

/**
 * Blobs as files below `folder`, which is made when the first one comes. Bytes are written beside
 * the name that they will have, flushed to disk and then renamed.
 */
export function folderStore(folder: string): BlobStore {
  const pathOf = (key: string) => {
    if (!KEY.test(key)) throw new Error('not the key of a blob')
    // The last characters of an id are random, so that no folder grows large.
    return join(folder, key.slice(0, 36), key.slice(-2), key.slice(37))
  }
  return {
    async put(key, bytes) {
      const path = pathOf(key)
      const part = `${path}.part`
      try {
        const made = await asStore(mkdir(dirname(path), { recursive: true, mode: 0o700 }))
        await write(part, bytes)
        await asStore(rename(part, path))
        syncFolders(dirname(path), made)
      } catch (error) {
        await rm(part, { force: true }).catch(() => {})
        throw error
      }
    },
    async *get(key, { start, end }) {
      if (end <= start) return
      try {
        yield* createReadStream(pathOf(key), { start, end: end - 1 })
      } catch (error) {
        throw new BlobStoreUnavailable(error)
      }
    },
    async remove(key) {
      const path = pathOf(key)
      await asStore(Promise.all([rm(path, { force: true }), rm(`${path}.part`, { force: true })]))
    },
  }
}

/** Faults of the source pass as they are; those of the disk are the store's. */
async function write(path: string, bytes: Bytes): Promise<void> {
  const file = await asStore(open(path, 'wx', 0o600))
  try {
    for await (const chunk of bytes) await asStore(file.writeFile(chunk))
    await asStore(file.datasync())
  } finally {
    await file.close()
  }
}

/** The folder of a new name and, where folders were made for it, those that name them. */
function syncFolders(folder: string, made: string | undefined): void {
  syncFolder(folder)
  if (made === undefined || folder === dirname(made)) return
  syncFolders(dirname(folder), made)
}

async function asStore<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    throw new BlobStoreUnavailable(error)
  }
}
