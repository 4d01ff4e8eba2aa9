/** Files that show who a person is, for a provider of identity verification (D-116). */

import type { Context } from '#kit/context.ts'
import type { Bytes } from '#kit/files/blobs.ts'
import { type FileStorage, readBlob, sealedBlobOf } from './file_storage.ts'
import type { DocumentType } from './rules/documents.ts'
import { type FileRow, listIdentityFiles } from './store.ts'

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
