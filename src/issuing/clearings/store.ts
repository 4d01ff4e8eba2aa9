/** Clearing files: a reference table, since a file is of all tenants. */

import { sql } from 'kysely'
import { databaseNow } from '#kit/clock.ts'
import type { Context } from '#kit/context.ts'
import { plainArray } from '#kit/db/arrays.ts'
import type { Db } from '#kit/db/database.ts'
import { type PageRange, selectRange } from '#kit/http/lists.ts'

export type FileState = 'CHECKING' | 'REJECTED' | 'ACCEPTED'

export type FileRow = {
  id: string
  file: string | null
  digest: Buffer | null
  state: FileState
  records: number
  amount: string
  fault_count: number
  faults: string[]
  tenant_ids: string[]
  created: Date
}

export async function insertFile(db: Db, id: string): Promise<void> {
  await sql`
    insert into clearing_files (id, state, created)
    values (${id}, 'CHECKING', ${databaseNow})`.execute(db)
}

export type CheckedFile = {
  file: string | null
  digest: Buffer
  state: FileState
  records: number
  amount: bigint
  fault_count: number
  faults: readonly string[]
  tenant_ids: readonly string[]
}

/** False if a file of its name was accepted meanwhile. */
export async function updateFile(db: Db, id: string, checked: CheckedFile): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update clearing_files set file = ${checked.file}, digest = ${checked.digest},
      state = ${checked.state}, records = ${checked.records}, amount = ${String(checked.amount)},
      fault_count = ${checked.fault_count}, faults = ${JSON.stringify(checked.faults)}::jsonb,
      tenant_ids = ${plainArray(checked.tenant_ids)}::uuid[]
    where id = ${id} and not (${checked.state} = 'ACCEPTED' and exists (
      select from clearing_files where state = 'ACCEPTED' and file = ${checked.file}))`.execute(db)
  return numAffectedRows === 1n
}

/** The file of this name that was accepted, or one with these bytes. */
export async function findKnownFile(
  db: Db,
  file: string | null,
  digest: Buffer,
): Promise<FileRow | undefined> {
  const { rows } = await sql<FileRow>`
    select * from clearing_files
    where (state = 'ACCEPTED' and file = ${file}) or (state = 'REJECTED' and digest = ${digest})
    order by state limit 1`.execute(db)
  return rows[0]
}

export async function findFile(db: Db, id: string): Promise<FileRow | undefined> {
  const { rows } = await sql<FileRow>`select * from clearing_files where id = ${id}`.execute(db)
  return rows[0]
}

export function listFileRows(db: Db, range: PageRange): Promise<FileRow[]> {
  const query = selectRange(db.selectFrom('clearing_files').selectAll(), range)
  // The check of the column has the same words.
  return query.execute() as Promise<FileRow[]>
}

/** False if it was accepted: its records may be posted by now. */
export async function deleteFile(db: Db, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from clearing_files where id = ${id} and state <> 'ACCEPTED'`.execute(db)
  return numAffectedRows === 1n
}

export async function hasTenant({ db }: Context, id: string): Promise<boolean> {
  const { rows } = await sql`select from tenants where id = ${id}`.execute(db)
  return rows.length > 0
}
