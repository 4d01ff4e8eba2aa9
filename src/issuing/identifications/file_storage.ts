/** The store of file bytes and the virus scanner; the slice receives both at the start. */

import type { Context } from '#kit/context.ts'
import type { BlobStore, ByteRange, Bytes } from '#kit/files/blobs.ts'
import type { SealedColumn } from '#kit/keys/sealed_columns.ts'
import { deleteLoose, listLoose } from './loose_store.ts'
import type { Scanner, Verdict } from './provider.ts'
import { readSealed, type SealedBlob } from './sealed_blobs.ts'
import type { FileRow } from './store.ts'

/**
 * Key rotation encrypts the keys of files again; the bytes in the store, encrypted under these
 * keys, do not change.
 */
export const sealedFileKeys: SealedColumn<'tenant_id' | 'id' | 'blob_key'> = {
  purpose: 'files',
  table: 'identification_files',
  column: 'sealed_key',
  by: { tenant_id: 'uuid', id: 'uuid', blob_key: 'text' },
  bind: ({ blob_key }) => blob_key,
}

export type FileStorage = {
  store: BlobStore
  /** Undefined where no virus scanner is configured. */
  scanner: Scanner | undefined
}

type Blob = Pick<FileRow, 'blob_key' | 'sealed_key' | 'size'>

export const sealedBlobOf = ({ blob_key, sealed_key, size }: Blob): SealedBlob => ({
  key: blob_key,
  sealed_key,
  size: Number(size),
})

export function readBlob(
  { store }: FileStorage,
  { keys }: Context,
  blob: SealedBlob,
  range?: ByteRange,
): Bytes {
  return readSealed(store, keys, blob, range)
}

/** The scanner's verdict on stored bytes; UNKNOWN also when the store fails. */
export async function scanBlob(
  storage: FileStorage,
  ctx: Context,
  blob: SealedBlob,
): Promise<Verdict | undefined> {
  try {
    return await storage.scanner?.(readBlob(storage, ctx, blob))
  } catch {
    return 'UNKNOWN'
  }
}

/**
 * Deletes the bytes of those keys that no file owns. Never throws: keys that cannot be deleted now
 * remain in `loose_blobs`, and the sweep deletes them. Returns the key at whose bytes it has
 * stopped, where they could not be deleted.
 */
export async function removeBlobs(
  { store }: FileStorage,
  ctx: Context,
  blob_keys: readonly string[],
): Promise<string | undefined> {
  if (blob_keys.length === 0) return undefined
  let at: string | undefined
  try {
    for (const key of await listLoose(ctx, blob_keys)) {
      at = key
      await store.remove(key)
      await deleteLoose(ctx, [key])
      at = undefined
    }
  } catch {
    // The sweep finds them when they are due.
  }
  return at
}
