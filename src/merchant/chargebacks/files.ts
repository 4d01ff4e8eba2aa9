/** Files of a shop's evidence: added until it answers, and sent with its answer (D-1410). */

import { recordChange } from '#kit/audit_log/records.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import type { Download } from '#kit/http/answers/downloads.ts'
import { invalid } from '#kit/http/answers/problems.ts'
import type { Parts, Received } from '#kit/http/bodies/uploads.ts'
import { listPage } from '#kit/http/lists.ts'
import type { ListQuery } from '#kit/http/schema.ts'
import type { SealedColumn } from '#kit/keys/sealed_columns.ts'
import type { Page } from '#lib/paging.ts'
import { ApiError } from '#lib/result.ts'
import { formatSixDigits } from '#lib/time.ts'
import {
  findChargebackFileRow,
  insertChargebackFiles,
  listChargebackFileRows,
  listFilesOfChargeback,
  updateChargebackFileDeleted,
} from './files_store.ts'
import type { ChargebackFileRow, EvidenceStore, NewFiles } from './provider.ts'
import type { ChargebackFile, ChargebackFilePath, ChargebackRow, Evidence } from './schema.ts'
import { findChargeback, lockChargeback } from './store.ts'

/** Files of a dispute. */
const FILES_MAX = 10

/** Key rotation encrypts the keys of files again, not their bytes. */
export const sealedChargebackFileKeys: SealedColumn<'tenant_id' | 'id' | 'blob_key'> = {
  purpose: 'files',
  table: 'chargeback_files',
  column: 'sealed_key',
  by: { tenant_id: 'uuid', id: 'uuid', blob_key: 'text' },
  bind: ({ blob_key }) => blob_key,
}

/** Inspected, scanned and stored while they arrive; the dispute is looked at before a byte is. */
export async function receiveChargebackFiles(
  store: EvidenceStore,
  ctx: Context,
  id: string,
  parts: Parts,
): Promise<Received<NewFiles>> {
  await assertOpen(ctx, ownOf(ctx, await findChargeback(ctx, id)), 1)
  return store.receive(ctx, parts)
}

/** Adds received files to a dispute that waits for the shop's answer, all or none. */
export function addChargebackFiles(
  store: EvidenceStore,
  ctx: Context | Tx,
  id: string,
  { files, single }: NewFiles,
): Promise<ChargebackFile | { data: ChargebackFile[] }> {
  return transact(ctx, async (tx) => {
    const chargeback = ownOf(tx, await lockChargeback(tx, id))
    await assertOpen(tx, chargeback, files.length)
    const taken = await store.takeOver(tx, files)
    const rows = await insertChargebackFiles(
      tx,
      taken.map((columns) => ({ ...columns, chargeback_id: chargeback.id })),
    )
    if (rows.length !== files.length) throw new ApiError('id_taken')
    const answered = rows.map(presentFile)
    const [first] = answered
    return single && first ? first : { data: answered }
  })
}

function ownOf({ actor }: Context, row: ChargebackRow | undefined): ChargebackRow {
  if (row?.merchant_id !== actor.id) throw new ApiError('not_found')
  return row
}

async function assertOpen(ctx: Context | Tx, { id, status }: ChargebackRow, added: number) {
  if (status !== 'NEEDS_RESPONSE') {
    throw new ApiError('chargeback_move_refused', { detail: `The dispute is ${status}.` })
  }
  const present = (await listFilesOfChargeback(ctx, id)).length
  if (present + added <= FILES_MAX) return
  throw new ApiError('file_limit_reached', {
    detail: `A dispute may have ${FILES_MAX} files; this one has ${present}.`,
  })
}

/** The files of a dispute, newest first. */
export async function listChargebackFiles(
  ctx: Context,
  id: string,
  query: ListQuery,
): Promise<Page<ChargebackFile>> {
  ownOf(ctx, await findChargeback(ctx, id))
  const page = await listPage('chargeback_files', query, (range) =>
    listChargebackFileRows(ctx, id, range),
  )
  return { ...page, data: page.data.map(presentFile) }
}

/** A file of a dispute, without its content. */
export const findChargebackFile = async (
  ctx: Context,
  path: ChargebackFilePath,
): Promise<ChargebackFile> => presentFile(await existing(ctx, path))

/** The content. */
export const serveChargebackFile = async (
  store: EvidenceStore,
  ctx: Context,
  path: ChargebackFilePath,
): Promise<Download> => store.serve(ctx, await existing(ctx, path))

/** The row remains without its bytes; a file that was sent as evidence remains whole. */
export async function deleteChargebackFile(
  store: EvidenceStore,
  ctx: Context,
  path: ChargebackFilePath,
): Promise<{ id: string; deleted: boolean }> {
  const row = await transact(ctx, async (tx) => {
    await assertOpen(tx, ownOf(tx, await lockChargeback(tx, path.id)), 0)
    const file = await existing(tx, path)
    const deleted = await updateChargebackFileDeleted(tx, file.id)
    if (!deleted) throw new ApiError('not_found')
    await store.giveUp(tx, deleted)
    recordChange(tx)
    return deleted
  })
  await store.remove(ctx, row.blob_key)
  return { id: row.id, deleted: true }
}

async function existing(ctx: Context | Tx, { id, file_id }: ChargebackFilePath) {
  const row = await findChargebackFileRow(ctx, id, file_id)
  if (!row) throw new ApiError('not_found')
  return row
}

/**
 * Evidence is a text or a file. One that the scanner has not seen cannot be sent, because nobody
 * could read it: the shop waits, or deletes it. The caller has locked the dispute.
 */
export async function assertSendable(tx: Tx, id: string, evidence: Evidence): Promise<void> {
  const files = await listFilesOfChargeback(tx, id)
  if (files.some(({ scan_status }) => scan_status === 'HELD')) {
    const detail = 'The virus scanner has not checked all files yet; send again in a minute.'
    throw new ApiError('file_held', { detail })
  }
  if (Object.keys(evidence).length === 0 && !files.some(isSent)) {
    throw invalid('explanation', 'is required where there is no other text and no file')
  }
}

/** The files that are sent with the evidence of a dispute. */
export const listSentFiles = async (tx: Tx, id: string): Promise<ChargebackFileRow[]> =>
  (await listFilesOfChargeback(tx, id)).filter(isSent)

/** An infected file has no bytes any more. */
const isSent = ({ scan_status }: ChargebackFileRow): boolean => scan_status !== 'INFECTED'

function presentFile(row: ChargebackFileRow): ChargebackFile {
  const { id, chargeback_id, file_name, content_type, size, sha256, scan_status, created } = row
  return {
    ...{ id, dispute_id: chargeback_id, file_name, content_type },
    size: Number(size),
    sha256: sha256.toString('hex'),
    ...(scan_status !== 'NOT_SCANNED' && { scan_status }),
    created_at: formatSixDigits(created),
  }
}
