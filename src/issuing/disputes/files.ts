/** Files of evidence: received, read and deleted as those of identifications (D-1060). */

import {
  columnsOf,
  type FileStorage,
  giveUp,
  type NewFiles,
  receiveForm,
  removeBlobs,
  type StoredFile,
  servedFile,
  takeOver,
} from '#issuing/identifications/identifications.ts'
import { recordChange } from '#kit/audit_log/records.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import type { Download } from '#kit/http/answers/downloads.ts'
import type { Parts, Received } from '#kit/http/bodies/uploads.ts'
import { listPage } from '#kit/http/lists.ts'
import type { ListQuery } from '#kit/http/schema.ts'
import type { SealedColumn } from '#kit/keys/sealed_columns.ts'
import { newId } from '#lib/id.ts'
import type { Page } from '#lib/paging.ts'
import { ApiError } from '#lib/result.ts'
import {
  countDisputeFiles,
  type DisputeFileRow,
  findDisputeFileRow,
  insertDisputeFiles,
  listDisputeFileRows,
  updateDisputeFileDeleted,
} from './files_store.ts'
import { findStored } from './find.ts'
import { finalStatuses } from './rules/states.ts'
import type { DisputeFile, DisputeFilePath, DisputeRow } from './schema.ts'
import { lockDisputeRow } from './store.ts'

/** Files of a dispute. */
const FILES_MAX = 10

/** Key rotation encrypts the keys of files again, not their bytes. */
export const sealedDisputeFileKeys: SealedColumn<'tenant_id' | 'id' | 'blob_key'> = {
  purpose: 'files',
  table: 'dispute_files',
  column: 'sealed_key',
  by: { tenant_id: 'uuid', id: 'uuid', blob_key: 'text' },
  bind: ({ blob_key }) => blob_key,
}

/** Inspected, scanned and stored while they arrive; the dispute is looked at before a byte is. */
export async function receiveDisputeFiles(
  storage: FileStorage,
  ctx: Context,
  { id }: { id: string },
  parts: Parts,
): Promise<Received<NewFiles>> {
  await assertOpen(ctx, await findStored(ctx, id), 1)
  return receiveForm(storage, ctx, 'ADDITIONAL', parts)
}

/** Adds received files to a dispute that has not ended, all or none. */
export function addDisputeFiles(
  ctx: Context | Tx,
  id: string,
  { files, single }: NewFiles,
): Promise<DisputeFile | { data: DisputeFile[] }> {
  return transact(ctx, async (tx) => {
    const dispute = await lockDisputeRow(tx, id)
    if (!dispute) throw new ApiError('not_found')
    await assertOpen(tx, dispute, files.length)
    await takeOver(tx, files)
    const rows = await insertDisputeFiles(
      tx,
      files.map((file) => ({ ...columnsOf(file), dispute_id: dispute.id })),
    )
    if (rows.length !== files.length) throw new ApiError('id_taken')
    const answered = rows.map(answerOf)
    const [first] = answered
    return single && first ? first : { data: answered }
  })
}

/** A file of the merchant's evidence, whose bytes stay the merchant's. */
export type MerchantFile = Omit<StoredFile, 'id'>

/** The merchant's evidence reaches the issuer of the same tenant (D-1411). */
export async function addMerchantFiles(
  tx: Tx,
  dispute_id: string,
  files: readonly MerchantFile[],
): Promise<void> {
  if (files.length === 0) return
  const source = 'MERCHANT'
  const rows = files.map((file) => ({ ...file, id: newId(), dispute_id, source }) as const)
  await insertDisputeFiles(tx, rows)
}

async function assertOpen(ctx: Context | Tx, { id, status }: DisputeRow, added: number) {
  if (finalStatuses.includes(status)) {
    throw new ApiError('dispute_move_refused', { detail: `The dispute is ${status}.` })
  }
  const present = await countDisputeFiles(ctx, id)
  if (present + added <= FILES_MAX) return
  throw new ApiError('file_limit_reached', {
    detail: `A dispute may have ${FILES_MAX} files; this one has ${present}.`,
  })
}

/** The files of a dispute, newest first. */
export async function listDisputeFiles(
  ctx: Context,
  id: string,
  query: ListQuery,
): Promise<Page<DisputeFile>> {
  await findStored(ctx, id)
  const page = await listPage('dispute_files', query, (range) =>
    listDisputeFileRows(ctx, id, range),
  )
  return { ...page, data: page.data.map(answerOf) }
}

/** A file of a dispute, without its content. */
export const findDisputeFile = async (ctx: Context, path: DisputeFilePath): Promise<DisputeFile> =>
  answerOf(await existing(ctx, path))

/** The content, to view or to download. */
export async function serveDisputeFile(
  storage: FileStorage,
  ctx: Context,
  path: DisputeFilePath,
  kind: 'inline' | 'attachment',
): Promise<Download> {
  return servedFile(storage, ctx, await existing(ctx, path), kind)
}

/** The row remains without its bytes; the evidence of a dispute that has ended remains. */
export async function deleteDisputeFile(
  storage: FileStorage,
  ctx: Context,
  path: DisputeFilePath,
): Promise<{ id: string; deleted: boolean }> {
  const row = await transact(ctx, async (tx) => {
    const dispute = await lockDisputeRow(tx, path.id)
    if (!dispute) throw new ApiError('not_found')
    await assertOpen(tx, dispute, 0)
    const file = await existing(tx, path)
    if (file.source === 'MERCHANT') {
      throw new ApiError('dispute_move_refused', { detail: 'The file is of the merchant.' })
    }
    const deleted = await updateDisputeFileDeleted(tx, file.id)
    if (!deleted) throw new ApiError('not_found')
    await giveUp(tx, { ...deleted, blob_key: file.blob_key })
    recordChange(tx)
    return file
  })
  await removeBlobs(storage, ctx, [row.blob_key])
  return { id: row.id, deleted: true }
}

async function existing(ctx: Context | Tx, { id, file_id }: DisputeFilePath) {
  const row = await findDisputeFileRow(ctx, id, file_id)
  if (!row) throw new ApiError('not_found')
  return row
}

function answerOf(row: DisputeFileRow): DisputeFile {
  const { id, dispute_id, source, file_name, content_type, size, scan_status, created } = row
  return {
    ...{ id, dispute_id, source, file_name, content_type, created },
    size: Number(size),
    ...(scan_status !== 'NOT_SCANNED' && { scan_status }),
  }
}
