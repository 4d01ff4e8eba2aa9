/** Clearing files: a reference table, since a file is of all tenants. */

import { sql } from 'kysely'
import { databaseNow, databaseNowPlus } from '#kit/clock.ts'
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
    insert into clearing_files (id, state, created, checked)
    values (${id}, 'CHECKING', ${databaseNow}, ${databaseNow})`.execute(db)
}

/** An import that has given no sign for so long does not go on. */
const LEASE_MS = 120_000
/** That of the version before, which gives none. */
const UNSIGNED_MS = 3_600_000

const isAtWork = sql`checked > ${databaseNowPlus(-LEASE_MS)}`
const isSilent = sql`state = 'CHECKING' and case when checked is null
  then created <= ${databaseNowPlus(-UNSIGNED_MS)}
  else checked <= ${databaseNowPlus(-LEASE_MS)} end`

/** The sign of an import, with the tenants of its records; false if it was given up. */
export async function updateChecked(
  db: Db,
  id: string,
  tenant_ids: readonly string[],
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update clearing_files set checked = ${databaseNow},
      tenant_ids = ${plainArray(tenant_ids)}::uuid[]
    where id = ${id} and state = 'CHECKING' and ${isAtWork}`.execute(db)
  return numAffectedRows === 1n
}

/** From now on no import stores records of it; false if it has ended, or is gone. */
export async function updateGivenUp(db: Db, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update clearing_files set checked = '-infinity'
    where id = ${id} and state = 'CHECKING'`.execute(db)
  return numAffectedRows === 1n
}

export async function hasSilent(db: Db): Promise<boolean> {
  const { rows } = await sql`select from clearing_files where ${isSilent} limit 1`.execute(db)
  return rows.length > 0
}

/** `tenant_ids` is null where they are not known. */
export async function listSilent(db: Db): Promise<{ id: string; tenant_ids: string[] | null }[]> {
  const { rows } = await sql<{ id: string; tenant_ids: string[] | null }>`
    select id, case when checked is not null then tenant_ids end as tenant_ids
    from clearing_files where ${isSilent} order by created`.execute(db)
  return rows
}

export async function listTenantIds(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from tenants order by id`.execute(db)
  return rows.map(({ id }) => id)
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

/** False if a file of its name was accepted meanwhile, or the import was given up. */
export async function updateFile(db: Db, id: string, checked: CheckedFile): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update clearing_files set file = ${checked.file}, digest = ${checked.digest},
      state = ${checked.state}, records = ${checked.records}, amount = ${String(checked.amount)},
      fault_count = ${checked.fault_count}, faults = ${JSON.stringify(checked.faults)}::jsonb,
      tenant_ids = ${plainArray(checked.tenant_ids)}::uuid[], checked = null
    where id = ${id} and state = 'CHECKING' and ${isAtWork}
      and not (${checked.state} = 'ACCEPTED' and exists (
        select from clearing_files where state = 'ACCEPTED' and file = ${checked.file}))`.execute(
    db,
  )
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

/** One that was given up; false if another has deleted it. */
export async function deleteFile(db: Db, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from clearing_files where id = ${id} and state = 'CHECKING'`.execute(db)
  return numAffectedRows === 1n
}

export async function hasTenant({ db }: Context, id: string): Promise<boolean> {
  const { rows } = await sql`select from tenants where id = ${id}`.execute(db)
  return rows.length > 0
}
