/** Public functions of the identifications slice (D-26). Their files are in files.ts. */

import { findUser } from '#issuing/users/users.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { listPage } from '#kit/http/lists.ts'
import type { ListQuery } from '#kit/http/schema.ts'
import { newId } from '#lib/id.ts'
import type { Page } from '#lib/paging.ts'
import { ApiError, unwrap } from '#lib/result.ts'
import { lockExisting, lockLivingUser } from './find.ts'
import {
  checkDates,
  type DocumentState,
  firstState,
  IDENTIFICATIONS_MAX,
  stateAfterChange,
} from './rules/documents.ts'
import type { IdentificationChanges, NewIdentification } from './schema.ts'
import {
  countFiles,
  countIdentifications,
  hasFilesOfUser,
  type IdentificationRow,
  insertIdentification,
  listIdentificationRows,
  listIdentificationsOfUsers,
  updateIdentificationRow,
} from './store.ts'

export { auditFiles } from './audit.ts'
export {
  type FileStorage,
  removeBlobs,
  sealedFileKeys,
} from './file_storage.ts'
export { servedFile } from './files.ts'
export { findIdentification } from './find.ts'
export { columnsOf, giveUp, type NewFiles, type StoredFile, takeOver } from './new_files.ts'
export { receiveForm } from './receive.ts'
export { contentTypes } from './rules/kinds.ts'
export type { IdentificationRow } from './store.ts'
export {
  type DocumentsOf,
  type DocumentsOfUsers,
  type DocumentWithFiles,
  documentsWithFiles,
  identityDocuments,
  type StoredDocument,
} from './stored.ts'
export { heldFiles } from './sweeps.ts'

export function createIdentification(
  ctx: Context | Tx,
  user_id: string,
  { id = newId(), issuance_date, expiration_date, ...sent }: NewIdentification,
): Promise<IdentificationRow> {
  return transact(ctx, async (tx) => {
    const user = await lockLivingUser(tx, user_id, 'change')
    const dates = unwrap(
      checkDates(
        { issuance_date: null, expiration_date: null },
        { ...(issuance_date && { issuance_date }), ...(expiration_date && { expiration_date }) },
      ),
    )
    if ((await countIdentifications(tx, user.id)) >= IDENTIFICATIONS_MAX) {
      throw new ApiError('identification_limit_reached', {
        detail: `A user may have ${IDENTIFICATIONS_MAX} identifications.`,
      })
    }
    const state = firstState(user.user_type)
    const row = { ...sent, ...dates, ...state, id: id.toLowerCase(), user_id: user.id }
    const made = await insertIdentification(tx, row)
    if (!made) throw new ApiError('id_taken')
    return made
  })
}

/**
 * Only what is sent changes, null clears (D-3). A reviewed document awaits its review again. Fails
 * with not_found, user_terminated, identification_has_files for another type while files show this
 * one, 400 on dates.
 */
export function updateIdentification(
  ctx: Context | Tx,
  user_id: string,
  id: string,
  { issuance_date, expiration_date, ...sent }: IdentificationChanges,
): Promise<IdentificationRow> {
  return transact(ctx, async (tx) => {
    const user = await lockLivingUser(tx, user_id, 'keep')
    const before = await lockExisting(tx, user_id, id)
    const dates = unwrap(
      checkDates(before, {
        ...(issuance_date !== undefined && { issuance_date }),
        ...(expiration_date !== undefined && { expiration_date }),
      }),
    )
    const isOther = sent.type !== undefined && sent.type !== before.type
    if (isOther && (await countFiles(tx, before.id)) > 0) {
      throw new ApiError('identification_has_files', {
        detail: `Its files show a ${before.type}; delete them or create another identification.`,
      })
    }
    const state = stateAfterChange(before, user.user_type)
    return updateIdentificationRow(tx, before.id, { ...sent, ...dates, ...state })
  })
}

/** The identifications of a user, newest first (D-2). */
export function listIdentifications(
  ctx: Context | Tx,
  user_id: string,
  query: ListQuery,
): Promise<Page<IdentificationRow>> {
  return listPage('identifications', query, async (range) => {
    const rows = await listIdentificationRows(ctx, user_id, range)
    // Identifications are of a user that exists.
    if (rows.length === 0) await findUser(ctx, user_id)
    return rows
  })
}

/** The identifications of these users by user, newest first, in one statement. */
export async function identificationsOf(
  ctx: Context | Tx,
  user_ids: readonly string[],
): Promise<Map<string, IdentificationRow[]>> {
  if (user_ids.length === 0) return new Map()
  const rows = await listIdentificationsOfUsers(ctx, user_ids)
  return Map.groupBy(rows, ({ user_id }) => user_id)
}

type DocumentReview = {
  found: DocumentState & { document_status: 'VERIFIED' | 'REJECTED' }
  /** Throws where the identification is not as it was reviewed. */
  check?: (row: IdentificationRow) => void
}

/**
 * Stores the result of a compliance review (D-26, D-100). The caller has the operator's permission.
 * Fails with `user_terminated`, as every change of a document does (D-216).
 */
export function reviewIdentification(
  ctx: Context | Tx,
  user_id: string,
  id: string,
  { found, check }: DocumentReview,
): Promise<IdentificationRow> {
  return transact(ctx, async (tx) => {
    await lockLivingUser(tx, user_id, 'keep')
    const row = await lockExisting(tx, user_id, id)
    check?.(row)
    return updateIdentificationRow(tx, row.id, found)
  })
}

/** Whether documents of a user are stored, as B0 and B0E require (D-116). */
export function hasStoredDocuments(ctx: Context | Tx, user_id: string): Promise<boolean> {
  return hasFilesOfUser(ctx, user_id)
}
