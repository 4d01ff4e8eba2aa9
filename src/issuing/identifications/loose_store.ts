/** The SQL of bytes that no file owns, and of files that await the scanner. */

import { sql } from 'kysely'
import { databaseNow, databaseNowPlus } from '#kit/clock.ts'
import type { Context, Tx } from '#kit/context.ts'
import { idArray } from '#kit/db/arrays.ts'
import type { FileRow } from './store.ts'

/** Records a key whose bytes may be deleted after so many milliseconds of real time. */
export async function insertLoose(
  { db, tenant_id }: Context,
  blob_key: string,
  after_ms: number,
): Promise<void> {
  const due = databaseNowPlus(after_ms)
  await db.insertInto('loose_blobs').values({ tenant_id, blob_key, due }).execute()
}

/** Deletes the records of keys and returns how many there were. */
export async function deleteLoose(
  { db, tenant_id }: Context | Tx,
  blob_keys: readonly string[],
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('loose_blobs')
    .where('tenant_id', '=', tenant_id)
    .where('blob_key', 'in', blob_keys)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Those of these keys that no file owns. */
export async function listLoose(
  { db, tenant_id }: Context,
  blob_keys: readonly string[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('loose_blobs')
    .select('blob_key')
    .where('tenant_id', '=', tenant_id)
    .where('blob_key', 'in', blob_keys)
    .execute()
  return rows.map(({ blob_key }) => blob_key)
}

/** Puts the bytes of a key off by so many milliseconds of real time. */
export async function updateLooseDue(
  { db, tenant_id }: Context,
  blob_key: string,
  after_ms: number,
): Promise<void> {
  await db
    .updateTable('loose_blobs')
    .set({ due: databaseNowPlus(after_ms) })
    .where('tenant_id', '=', tenant_id)
    .where('blob_key', '=', blob_key)
    .execute()
}

export async function listDueLoose({ db, tenant_id }: Context, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('loose_blobs')
    .select('blob_key')
    .where('tenant_id', '=', tenant_id)
    .where('due', '<=', databaseNow)
    .orderBy('due')
    .limit(limit)
    .execute()
  return rows.map(({ blob_key }) => blob_key)
}

/** Tables with the same columns for a file and its scan. */
export type FileTable = 'identification_files' | 'dispute_files' | 'chargeback_files'
export type HeldRow = Pick<FileRow, 'id' | 'blob_key' | 'sealed_key' | 'size'>

/** Claims the held files that are due, for so many milliseconds of real time. */
export async function claimHeld(
  { db, tenant_id }: Tx,
  table: FileTable,
  for_ms: number,
  limit: number,
): Promise<HeldRow[]> {
  const { rows: due } = await sql<{ id: string }>`
    select id from ${sql.table(table)}
    where tenant_id = ${tenant_id} and scan_due <= ${databaseNow}
    order by scan_due limit ${limit} for update skip locked`.execute(db)
  if (due.length === 0) return []
  const { rows } = await sql<HeldRow>`
    update ${sql.table(table)} set scan_due = ${databaseNowPlus(for_ms)}
    where tenant_id = ${tenant_id} and id = any (${idArray(due.map(({ id }) => id))}::uuid[])
    returning id, blob_key, sealed_key, size`.execute(db)
  return rows
}

/** Returns false when the file was deleted or scanned meanwhile. */
export async function updateScan(
  { db, tenant_id }: Context,
  table: FileTable,
  id: string,
  { scan_status, scan_due }: Pick<FileRow, 'scan_status' | 'scan_due'>,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set scan_status = ${scan_status}, scan_due = ${scan_due}
    where tenant_id = ${tenant_id} and id = ${id} and deleted is null and scan_status = 'HELD'
  `.execute(db)
  return numAffectedRows === 1n
}
