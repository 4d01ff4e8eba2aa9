/** Settlement files that were imported: a reference table, since a file is of all tenants. */

import type { Selectable } from 'kysely'
import type { Db } from '#kit/db/database.ts'
import type { Database } from '#kit/db/tables.ts'
import { type PageRange, selectRange } from '#kit/http/lists.ts'
import type { Finding, FindingKind } from './compare.ts'
import type { Sum } from './file.ts'

/** Amounts in minor units, as text: JSON has no bigint. */
type AsText<Value> = Value extends bigint | Date
  ? string
  : Value extends object
    ? { [Name in keyof Value]: AsText<Value[Name]> }
    : Value
export type KeptFinding = AsText<Finding>
type KeptSum = AsText<Sum>

export type FileRow = Omit<
  Selectable<Database['settlement_files']>,
  'sums' | 'counts' | 'findings'
> & {
  sums: KeptSum[]
  counts: Partial<Record<FindingKind, number>>
  findings: KeptFinding[]
}

/** False if a file of that name is there already. */
export async function insertFile(db: Db, row: FileRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('settlement_files')
    .values({
      ...row,
      sums: JSON.stringify(row.sums),
      counts: JSON.stringify(row.counts),
      findings: JSON.stringify(row.findings),
    })
    .onConflict((conflict) => conflict.column('file').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export function findFileByName(db: Db, file: string): Promise<FileRow | undefined> {
  return db.selectFrom('settlement_files').selectAll().where('file', '=', file).executeTakeFirst()
}

export function findFile(db: Db, id: string): Promise<FileRow | undefined> {
  return db.selectFrom('settlement_files').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Newest first. */
export function listFileRows(db: Db, range: PageRange): Promise<FileRow[]> {
  return selectRange(db.selectFrom('settlement_files').selectAll(), range).execute()
}
