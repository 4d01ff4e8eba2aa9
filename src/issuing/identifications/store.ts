/** The SQL of identifications and their files: every statement within one tenant. */

import type { Insertable, Selectable, Updateable } from 'kysely'
import { databaseNowPlus } from '#kit/clock.ts'
import type { Context, Tx } from '#kit/context.ts'
import type { Database } from '#kit/db/tables.ts'
import { type PageRange, selectRange } from '#kit/http/lists.ts'
import type { FilePath } from './schema.ts'

export type IdentificationRow = Selectable<Database['identifications']>
export type FileRow = Selectable<Database['identification_files']>
type Own = 'tenant_id' | 'created' | 'modified' | 'deleted'
/** A held file is scanned again after so long, in real time. */
export const SCAN_AGAIN_MS = 60 * 1000
export type NewIdentificationRow = Omit<Insertable<Database['identifications']>, Own>
export type NewFileRow = Omit<Insertable<Database['identification_files']>, Own | 'scan_due'>
type Changes = Omit<Updateable<Database['identifications']>, Own | 'id' | 'user_id'>

/** Returns undefined when the id exists. */
export function insertIdentification(
  { db, tenant_id, now }: Tx,
  row: NewIdentificationRow,
): Promise<IdentificationRow | undefined> {
  return db
    .insertInto('identifications')
    .values({ ...row, tenant_id, created: now, modified: now })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'id']).doNothing())
    .returningAll()
    .executeTakeFirst()
}

export function updateIdentificationRow(
  { db, tenant_id, now }: Tx,
  id: string,
  changes: Changes,
): Promise<IdentificationRow> {
  return db
    .updateTable('identifications')
    .set({ ...changes, modified: now })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

const identificationById = ({ db, tenant_id }: Context, user_id: string, id: string) =>
  db
    .selectFrom('identifications')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('user_id', '=', user_id)
    .where('id', '=', id)

export function findIdentificationRow(
  ctx: Context,
  user_id: string,
  id: string,
): Promise<IdentificationRow | undefined> {
  return identificationById(ctx, user_id, id).executeTakeFirst()
}

export function lockIdentification(
  tx: Tx,
  user_id: string,
  id: string,
): Promise<IdentificationRow | undefined> {
  return identificationById(tx, user_id, id).forNoKeyUpdate().executeTakeFirst()
}

export function listIdentificationRows(
  { db, tenant_id }: Context,
  user_id: string,
  range: PageRange,
): Promise<IdentificationRow[]> {
  const ofUser = db
    .selectFrom('identifications')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('user_id', '=', user_id)
  return selectRange(ofUser, range).execute()
}

/** Those of several users, newest first; the limit of each user bounds the result. */
export function listIdentificationsOfUsers(
  { db, tenant_id }: Context,
  user_ids: readonly string[],
): Promise<IdentificationRow[]> {
  return db
    .selectFrom('identifications')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('user_id', 'in', user_ids)
    .orderBy('created', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

export async function countIdentifications(
  { db, tenant_id }: Context,
  user_id: string,
): Promise<number> {
  const { count } = await db
    .selectFrom('identifications')
    .select((row) => row.fn.countAll<bigint>().as('count'))
    .where('tenant_id', '=', tenant_id)
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Files of a user's identifications (`i`) that are not deleted. */
const filesOfUser = (db: Context['db'], tenant_id: string, user_id: string) =>
  db
    .selectFrom('identification_files as f')
    .innerJoin('identifications as i', (join) =>
      join.onRef('i.tenant_id', '=', 'f.tenant_id').onRef('i.id', '=', 'f.identification_id'),
    )
    .where('f.tenant_id', '=', tenant_id)
    .where('i.tenant_id', '=', tenant_id)
    .where('i.user_id', '=', user_id)
    .where('f.deleted', 'is', null)

export async function hasFilesOfUser(
  { db, tenant_id }: Context,
  user_id: string,
): Promise<boolean> {
  const row = await filesOfUser(db, tenant_id, user_id)
    .select('f.id')
    .where('f.scan_status', '<>', 'INFECTED')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The newest file of each document type among a user's passports, national ids and visas. */
export function listIdentityFiles({ db, tenant_id }: Context, user_id: string): Promise<FileRow[]> {
  return db
    .selectFrom('identification_files as f')
    .innerJoin('identifications as i', (join) =>
      join.onRef('i.tenant_id', '=', 'f.tenant_id').onRef('i.id', '=', 'f.identification_id'),
    )
    .selectAll('f')
    .distinctOn('f.identification_document_type')
    .where('f.tenant_id', '=', tenant_id)
    .where('i.tenant_id', '=', tenant_id)
    .where('i.user_id', '=', user_id)
    .where('i.type', 'in', ['PASSPORT', 'NATIONAL_ID', 'VISA'])
    .where('f.deleted', 'is', null)
    .where('f.scan_status', 'in', ['NOT_SCANNED', 'CLEAN'])
    .orderBy('f.identification_document_type')
    .orderBy('f.created', 'desc')
    .orderBy('f.id', 'desc')
    .execute()
}

/** The last version of each file of these users' identifications, without held files. */
export function listFilesOfUsers(
  { db, tenant_id }: Context,
  user_ids: readonly string[],
): Promise<FileRow[]> {
  return db
    .selectFrom('identification_files as f')
    .innerJoin('identifications as i', (join) =>
      join.onRef('i.tenant_id', '=', 'f.tenant_id').onRef('i.id', '=', 'f.identification_id'),
    )
    .selectAll('f')
    .distinctOn(['f.identification_id', 'f.identification_document_type'])
    .where('f.tenant_id', '=', tenant_id)
    .where('i.tenant_id', '=', tenant_id)
    .where('i.user_id', 'in', user_ids)
    .where('f.deleted', 'is', null)
    .where('f.scan_status', 'in', ['NOT_SCANNED', 'CLEAN'])
    .orderBy('f.identification_id')
    .orderBy('f.identification_document_type')
    .orderBy('f.document_version', 'desc')
    .execute()
}

export async function countFiles(
  { db, tenant_id }: Context,
  identification_id: string,
): Promise<number> {
  const { count } = await db
    .selectFrom('identification_files')
    .select((row) => row.fn.countAll<bigint>().as('count'))
    .where('tenant_id', '=', tenant_id)
    .where('identification_id', '=', identification_id)
    .where('deleted', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The last version of each document type, of deleted files too. */
export async function listLastVersions(
  { db, tenant_id }: Context,
  identification_id: string,
): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('identification_files')
    .select('identification_document_type')
    .select((row) => row.fn.max('document_version').as('version'))
    .where('tenant_id', '=', tenant_id)
    .where('identification_id', '=', identification_id)
    .groupBy('identification_document_type')
    .execute()
  return new Map(rows.map((row) => [row.identification_document_type, row.version]))
}

/** Rows whose id exists are absent from the result. */
export function insertFiles(
  { db, tenant_id, now }: Tx,
  rows: readonly NewFileRow[],
): Promise<FileRow[]> {
  return db
    .insertInto('identification_files')
    .values(
      rows.map((row) => {
        const scan_due = row.scan_status === 'HELD' ? databaseNowPlus(SCAN_AGAIN_MS) : null
        return { ...row, scan_due, tenant_id, created: now }
      }),
    )
    .onConflict((conflict) => conflict.columns(['tenant_id', 'id']).doNothing())
    .returningAll()
    .execute()
}

export function findFileRow(
  { db, tenant_id }: Context,
  { user_id, identification_id, file_id }: FilePath,
): Promise<FileRow | undefined> {
  return filesOfUser(db, tenant_id, user_id)
    .selectAll('f')
    .where('i.id', '=', identification_id)
    .where('f.id', '=', file_id)
    .executeTakeFirst()
}

export function listFileRows(
  { db, tenant_id }: Context,
  identification_id: string,
  range: PageRange,
): Promise<FileRow[]> {
  const present = db
    .selectFrom('identification_files')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('identification_id', '=', identification_id)
    .where('deleted', 'is', null)
  return selectRange(present, range).execute()
}

/** Undefined when it was deleted before. */
export function updateFileDeleted(
  { db, tenant_id, now }: Tx,
  id: string,
): Promise<Pick<FileRow, 'size' | 'scan_status'> | undefined> {
  return db
    .updateTable('identification_files')
    .set({ deleted: now, scan_due: null })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .where('deleted', 'is', null)
    .returning(['size', 'scan_status'])
    .executeTakeFirst()
}
