/** Files of identifications: add, read and delete (D-27, D-28). */

import { recordChange } from '#kit/audit_log/records.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { contentDisposition } from '#kit/http/answers/disposition.ts'
import type { Download } from '#kit/http/answers/downloads.ts'
import { invalid } from '#kit/http/answers/problems.ts'
import { listPage } from '#kit/http/lists.ts'
import type { ListQuery } from '#kit/http/schema.ts'
import type { Page } from '#lib/paging.ts'
import { ApiError } from '#lib/result.ts'
import { type FileStorage, readBlob, removeBlobs, sealedBlobOf } from './file_storage.ts'
import { findIdentification, lockExisting, lockLivingUser } from './find.ts'
import { columnsOf, giveUp, type NewFile, type NewFiles, takeOver } from './new_files.ts'
import { FILES_MAX, stateAfterChange } from './rules/documents.ts'
import { typeFault } from './rules/metadata.ts'
import type { FilePath, IdentificationFile, IdentificationPath } from './schema.ts'
import {
  countFiles,
  type FileRow,
  findFileRow,
  insertFiles,
  listFileRows,
  listLastVersions,
  type NewFileRow,
  updateFileDeleted,
  updateIdentificationRow,
} from './store.ts'

/**
 * Adds the received files, all or none. Uploads to one identification wait for each other here, so
 * that its count and its versions are exact. Fails as `takeOver`.
 */
export function addFiles(
  ctx: Context | Tx,
  { user_id, identification_id }: IdentificationPath,
  { files, single }: NewFiles,
): Promise<IdentificationFile | { data: IdentificationFile[] }> {
  return transact(ctx, async (tx) => {
    const user = await lockLivingUser(tx, user_id, 'keep')
    const identification = await lockExisting(tx, user_id, identification_id)
    // Without files its type may change, also while the bytes of the first arrive (D-219).
    if (files.some((file) => file.identification_type !== identification.type)) {
      throw invalid('identification_type', typeFault(identification.type))
    }
    assertRoom(await countFiles(tx, identification.id), files.length)
    await takeOver(tx, files)
    const versions = await listLastVersions(tx, identification.id)
    const rows = await insertFiles(
      tx,
      files.map((file) => rowOf(identification.id, file, versions)),
    )
    if (rows.length !== files.length) throw new ApiError('id_taken')
    const state = stateAfterChange(identification, user.user_type)
    await updateIdentificationRow(tx, identification.id, state)
    const answered = rows.map(answerOf)
    const [first] = answered
    return single && first ? first : { data: answered }
  })
}

/** At most ten files an identification (D-113). */
export function assertRoom(present: number, added: number): void {
  if (present + added <= FILES_MAX) return
  throw new ApiError('file_limit_reached', {
    detail: `An identification may have ${FILES_MAX} files; this one has ${present}.`,
  })
}

/** Increments the version of the document type. */
function rowOf(
  identification_id: string,
  file: NewFile,
  versions: Map<string, number>,
): NewFileRow {
  const { identification_type, identification_document_type } = file
  const document_version = (versions.get(identification_document_type) ?? 0) + 1
  versions.set(identification_document_type, document_version)
  const kind = { identification_type, identification_document_type }
  return { ...columnsOf(file), ...kind, identification_id, document_version }
}

export async function findFile(ctx: Context | Tx, path: FilePath): Promise<IdentificationFile> {
  return answerOf(await existing(ctx, path))
}

/** The files of an identification, newest first (D-2). */
export async function listFiles(
  ctx: Context | Tx,
  { user_id, identification_id }: IdentificationPath,
  query: ListQuery,
): Promise<Page<IdentificationFile>> {
  const page = await listPage('files', query, async (range) => {
    const { id } = await findIdentification(ctx, user_id, identification_id)
    return listFileRows(ctx, id, range)
  })
  return { ...page, data: page.data.map(answerOf) }
}

/** The content, to view or to download. */
export async function serveFile(
  storage: FileStorage,
  ctx: Context,
  path: FilePath,
  kind: 'inline' | 'attachment',
): Promise<Download> {
  return servedFile(storage, ctx, await existing(ctx, path), kind)
}

/** The content of a stored file; fails with `file_held` and `file_infected`. */
export function servedFile(
  storage: FileStorage,
  ctx: Context,
  row: ServedRow,
  kind: 'inline' | 'attachment',
): Download {
  if (row.scan_status === 'HELD') {
    throw new ApiError('file_held', { detail: 'The virus scanner has not checked the file yet.' })
  }
  if (row.scan_status === 'INFECTED') {
    throw new ApiError('file_infected', {
      detail: 'The virus scanner has found a virus in the file.',
    })
  }
  const blob = sealedBlobOf(row)
  return {
    content_type: row.content_type,
    disposition: contentDisposition(kind, row.file_name),
    size: blob.size,
    version: row.sha256.toString('base64url'),
    read: (range) => readBlob(storage, ctx, blob, range),
  }
}

type ServedRow = Pick<
  FileRow,
  'scan_status' | 'content_type' | 'file_name' | 'sha256' | 'blob_key' | 'sealed_key' | 'size'
>

/** The row remains without its bytes. */
export async function deleteFile(
  storage: FileStorage,
  ctx: Context,
  path: FilePath,
): Promise<{ id: string; deleted: boolean }> {
  const row = await transact(ctx, async (tx) => {
    const user = await lockLivingUser(tx, path.user_id, 'keep')
    const identification = await lockExisting(tx, path.user_id, path.identification_id)
    const file = await existing(tx, path)
    const deleted = await updateFileDeleted(tx, file.id)
    if (!deleted) throw new ApiError('not_found')
    await giveUp(tx, { ...deleted, blob_key: file.blob_key })
    recordChange(tx)
    await updateIdentificationRow(
      tx,
      identification.id,
      stateAfterChange(identification, user.user_type),
    )
    return file
  })
  await removeBlobs(storage, ctx, [row.blob_key])
  return { id: row.id, deleted: true }
}

async function existing(ctx: Context | Tx, path: FilePath): Promise<FileRow> {
  const row = await findFileRow(ctx, path)
  if (!row) throw new ApiError('not_found')
  return row
}

function answerOf({ size, scan_status, ...row }: FileRow): IdentificationFile {
  return {
    ...row,
    // The columns hold what the tables of rules/documents.ts allow.
    ...(row as Pick<IdentificationFile, 'identification_type' | 'identification_document_type'>),
    size: Number(size),
    ...(scan_status !== 'NOT_SCANNED' && { scan_status }),
  }
}
