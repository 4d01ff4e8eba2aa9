/** Files that were received, and the moment in which they get or lose their owner. */

import { giveBackBytes, takeBytes } from '#issuing/tenants/tenants.ts'
import type { Tx } from '#kit/context.ts'
import { newId } from '#lib/id.ts'
import { ApiError } from '#lib/result.ts'
import { deleteLoose, insertLoose } from './loose_store.ts'
import type { Metadata } from './rules/metadata.ts'
import type { SealedBlob } from './sealed_blobs.ts'
import type { FileRow } from './store.ts'

/** A stored file with the values of its row. */
export type NewFile = Metadata & {
  blob: SealedBlob
  sha256: Buffer
  scan_status: FileRow['scan_status']
}
export type NewFiles = { files: readonly NewFile[]; single: boolean }

/**
 * The bytes of received files become those of rows of this transaction. Fails with request_timeout
 * when they were deleted meanwhile, and with storage_full where the tenant may not store so many
 * (D-1005).
 */
export async function takeOver(
  tx: Tx,
  files: readonly { blob: Pick<SealedBlob, 'key' | 'size'> }[],
): Promise<void> {
  const keys = files.map(({ blob }) => blob.key)
  if ((await deleteLoose(tx, keys)) !== keys.length) throw new ApiError('request_timeout')
  await takeBytes(tx, BigInt(files.reduce((sum, { blob }) => sum + blob.size, 0)))
}

export type StoredFile = Pick<
  FileRow,
  | 'file_name'
  | 'content_type'
  | 'sha256'
  | 'scan_status'
  | 'blob_key'
  | 'sealed_key'
  | 'size'
  | 'id'
>

/** The columns that the rows of all kinds of files have of a received one. */
export function columnsOf(
  file: Omit<NewFile, 'id' | 'identification_type' | 'identification_document_type'> & {
    id?: string | undefined
  },
): StoredFile {
  const { id, file_name, content_type, sha256, scan_status, blob } = file
  const { size, key: blob_key, sealed_key } = blob
  const columns = { file_name, content_type, sha256, scan_status, blob_key, sealed_key }
  return { ...columns, id: id ?? newId(), size: BigInt(size) }
}

/** The row of a file is deleted in this transaction; its bytes are removed behind it. */
export async function giveUp(
  tx: Tx,
  { blob_key, size, scan_status }: Pick<FileRow, 'blob_key' | 'size' | 'scan_status'>,
): Promise<void> {
  // The bytes of an infected one are gone already.
  if (scan_status !== 'INFECTED') await giveBackBytes(tx, size)
  await insertLoose(tx, blob_key, 0)
}
