/** Watched places: a reference table, since a place has files of all tenants. */

import { sql } from 'kysely'
import { databaseNow, databaseNowPlus, readClock } from '#kit/clock.ts'
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
  const { rows: due } = await sql<{ waiting: Waiting }>`
    update clearing_places set due = ${databaseNowPlus(lease_ms)}
    where network = ${network} and due <= ${databaseNow} returning waiting`.execute(db)
  if (due[0]) return due[0].waiting
  // A cluster takes no time of its own in ON CONFLICT. One of two that insert gets the row.
  const { rows: made } = await sql<{ waiting: Waiting }>`
    insert into clearing_places (network, due) values (${network}, ${databaseNowPlus(lease_ms)})
    on conflict (network) do nothing returning waiting`.execute(db)
  return made[0]?.waiting
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
  // A cluster takes no clock in CASE or COALESCE of an update.
  const now = await readClock(db)
  await sql`
    update clearing_places set due = ${databaseNowPlus(after_ms)},
      waiting = ${JSON.stringify(waiting)}::jsonb, fault = ${fault},
      failing_since = case when ${fault}::text is not null
        then coalesce(failing_since, ${now}::timestamptz) end
    where network = ${network}`.execute(db)
}
