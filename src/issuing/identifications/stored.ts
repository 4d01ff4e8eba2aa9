/** Documents and their files, for providers of identity verification, KYC and KYB (D-116, D-1080). */

import type { Context } from '#kit/context.ts'
import type { Bytes } from '#kit/files/blobs.ts'
import { type FileStorage, readBlob, sealedBlobOf } from './file_storage.ts'
import type { DocumentType } from './rules/documents.ts'
import {
  type FileRow,
  type IdentificationRow,
  listFilesOfUsers,
  listIdentificationsOfUsers,
  listIdentityFiles,
} from './store.ts'

export type StoredDocument = {
  /** Unique among files, so that it shows whether this one was uploaded before. */
  id: string
  document_type: DocumentType
  content_type: string
  size: number
  read: () => Bytes
}

/** Returns the documents of a user. */
export type DocumentsOf = (ctx: Context, user_id: string) => Promise<StoredDocument[]>

/** The last version of each side of a user's identity documents, without held files. */
export function identityDocuments(storage: FileStorage): DocumentsOf {
  return async (ctx, user_id) => {
    const rows = await listIdentityFiles(ctx, user_id)
    return rows.map((row) => documentOf(storage, ctx, row))
  }
}

/** An identification with the last version of each of its files, without held ones. */
export type DocumentWithFiles = Pick<
  IdentificationRow,
  | 'id'
  | 'type'
  | 'number'
  | 'issuance_authority'
  | 'place_of_issuance'
  | 'issuance_date'
  | 'expiration_date'
  | 'document_status'
> & { files: readonly StoredDocument[] }

/** Returns the documents of these users by user, newest first. */
export type DocumentsOfUsers = (
  ctx: Context,
  user_ids: readonly string[],
) => Promise<Map<string, DocumentWithFiles[]>>

export function documentsWithFiles(storage: FileStorage): DocumentsOfUsers {
  return async (ctx, user_ids) => {
    if (user_ids.length === 0) return new Map()
    const [rows, files] = await Promise.all([
      listIdentificationsOfUsers(ctx, user_ids),
      listFilesOfUsers(ctx, user_ids),
    ])
    const filesOf = Map.groupBy(files, ({ identification_id }) => identification_id)
    const documents = rows.map((row) => {
      const { id, type, number, issuance_authority, place_of_issuance } = row
      const { issuance_date, expiration_date, document_status } = row
      const stored = (filesOf.get(id) ?? []).map((file) => documentOf(storage, ctx, file))
      const document = {
        ...{ id, type, number, issuance_authority, place_of_issuance },
        ...{ issuance_date, expiration_date, document_status },
        files: stored,
      }
      return { user_id: row.user_id, document }
    })
    const byUser = Map.groupBy(documents, ({ user_id }) => user_id)
    return new Map([...byUser].map(([id, all]) => [id, all.map(({ document }) => document)]))
  }
}

function documentOf(storage: FileStorage, ctx: Context, row: FileRow): StoredDocument {
  const { id, identification_document_type, content_type, size } = row
  return {
    id,
    // The column holds what the table of rules/documents.ts allows.
    document_type: identification_document_type as DocumentType,
    content_type,
    size: Number(size),
    read: () => readBlob(storage, ctx, sealedBlobOf(row)),
  }
}
