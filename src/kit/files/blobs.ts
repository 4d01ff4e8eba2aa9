/**
 * The store of bytes that are too large for the database (D-28). A put is complete or absent; the
 * remains of a crash have the same key, so that `remove` deletes them too.
 */

import { createReadStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makePath, syncFolder } from './folder.ts'

/** From `start` up to, but without, `end`. */
export type ByteRange = { start: number; end: number }

export type Bytes = AsyncIterable<Buffer>

export type BlobStore = {
  /** Stores the bytes under a key that was never used before. */
  put: (key: string, bytes: Bytes) => Promise<void>
  get: (key: string, range: ByteRange) => Bytes
  /** Works also for a key that was never put, or only in part. */
  remove: (key: string) => Promise<void>
}

/** The store cannot be reached, is full or has lost the bytes. HTTP 503 (D-9). */
export class BlobStoreUnavailable extends Error {
  constructor(cause: unknown) {
    super('the file store is not available', { cause })
    this.name = 'BlobStoreUnavailable'
  }
}

/** Keys are generated, never input: a tenant's folder and an id in it. */
const KEY = /^[0-9a-f-]{36}\/[0-9a-f-]{36}$/

/**
 * Blobs as files below `folder`, which is created with the first one. Bytes are written under a
 * temporary name, flushed to disk and then renamed.
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
        const made = await asStore(makeFolders(dirname(path)))
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

/** Promises what it throws. */
async function makeFolders(path: string): Promise<string | undefined> {
  return makePath(path, 0o700)
}

/** Errors of the source are thrown unchanged; those of the disk are the store's. */
async function write(path: string, bytes: Bytes): Promise<void> {
  const file = await asStore(open(path, 'wx', 0o600))
  try {
    for await (const chunk of bytes) await asStore(file.writeFile(chunk))
    await asStore(file.datasync())
  } finally {
    await file.close()
  }
}

/** Syncs the folder of a new file and the parents of the folders that were created for it. */
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
