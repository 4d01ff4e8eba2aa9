/** Watched places: a reference table, since a place has files of all tenants. */

import { sql } from 'kysely'
import { databaseNow, databaseNowPlus } from '#kit/clock.ts'
import { textArray } from '#kit/db/arrays.ts'
import type { Db } from '#kit/db/database.ts'
import type { Waiting } from '../rules/found_files.ts'

/** Whether one of the networks is to be looked at; one that has no row yet is. */
export async function hasDuePlace(db: Db, networks: readonly string[]): Promise<boolean> {
  const { rows } = await sql`
    select from clearing_places
    where network = any (${textArray(networks)}::text[]) and due > ${databaseNow}`.execute(db)
  return rows.length < networks.length
}

/** The files of the last look; undefined where it is not due, as in another process's hand. */
export async function claimPlace(
  db: Db,
  network: string,
  lease_ms: number,
): Promise<Waiting | undefined> {
  const { rows } = await sql<{ waiting: Waiting }>`
    insert into clearing_places as p (network, due)
    values (${network}, ${databaseNowPlus(lease_ms)})
    on conflict (network) do update set due = excluded.due where p.due <= ${databaseNow}
    returning waiting`.execute(db)
  return rows[0]?.waiting
}

export async function updateDue(db: Db, network: string, after_ms: number): Promise<void> {
  await sql`
    update clearing_places set due = ${databaseNowPlus(after_ms)}
    where network = ${network}`.execute(db)
}

export type Looked = { waiting: Waiting; fault: string | null; after_ms: number }

export async function updatePlace(
  db: Db,
  network: string,
  { waiting, fault, after_ms }: Looked,
): Promise<void> {
  await sql`
    update clearing_places set due = ${databaseNowPlus(after_ms)},
      waiting = ${JSON.stringify(waiting)}::jsonb, fault = ${fault},
      failing_since = case when ${fault}::text is not null
        then coalesce(failing_since, ${databaseNow}) end
    where network = ${network}`.execute(db)
}
