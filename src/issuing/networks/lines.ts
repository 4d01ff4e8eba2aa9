/** The connections of networks as the processes report them, in rows of no tenant (D-1310). */

import { sql } from 'kysely'
import { databaseNow, databaseNowPlus } from '#kit/clock.ts'
import type { Db } from '#kit/db/database.ts'

/** The state of a network at one process. */
export type NetworkState = {
  name: string
  lines: readonly LineState[]
  /** Messages with a wrong code or without one, since the process started. */
  mac_failures: number
  /** Messages that had no effect, those among them. */
  refused: number
}

type LineState = {
  /** The peer's, with its port. */
  address: string
  signed_on: boolean
  /** Since it was opened, and since a message came; null if none has come. */
  open_ms: number
  silent_ms: number | null
}

/** A process that has not written for so long has ended. */
const PRESENT_MS = 60_000
/** Its row is kept for so long. */
const KEPT_MS = 24 * 60 * 60_000
/** More than any installation has. */
const PROCESSES_MAX = 200

/** Writes the row of the process. */
export async function upsertLines(
  db: Db,
  process_id: string,
  networks: readonly NetworkState[],
): Promise<void> {
  await sql`
    insert into network_lines (process_id, seen, networks)
    values (${process_id}::uuid, ${databaseNow}, ${JSON.stringify(networks)}::jsonb)
    on conflict (process_id) do update
    set seen = excluded.seen, networks = excluded.networks`.execute(db)
}

export async function deleteLines(db: Db, process_id: string): Promise<void> {
  await db.deleteFrom('network_lines').where('process_id', '=', process_id).execute()
}

/** Deletes those of processes that have ended without a word a day ago. */
export async function deleteOldLines(db: Db): Promise<void> {
  await db.deleteFrom('network_lines').where('seen', '<', databaseNowPlus(-KEPT_MS)).execute()
}

export type LinesRow = { process_id: string; seen: Date; networks: NetworkState[] }

/** Those of the processes that are there. */
export async function listLines(db: Db): Promise<LinesRow[]> {
  const rows = await db
    .selectFrom('network_lines')
    .select(['process_id', 'seen', 'networks'])
    .where('seen', '>', databaseNowPlus(-PRESENT_MS))
    .orderBy('process_id')
    .limit(PROCESSES_MAX)
    .execute()
  // The column has what upsertLines wrote.
  return rows.map((row) => ({ ...row, networks: row.networks as unknown as NetworkState[] }))
}

/** The network over all processes. Instants are those of the rows: no clock of a process counts. */
export function stateOf(name: string, rows: readonly LinesRow[]) {
  const own = rows.flatMap(({ process_id, seen, networks }) =>
    networks.filter((one) => one.name === name).map((one) => ({ ...one, process_id, seen })),
  )
  const sum = (counted: 'mac_failures' | 'refused') =>
    own.reduce((all, one) => all + one[counted], 0)
  const connections = own.flatMap(({ lines, process_id, seen }) =>
    lines.map(({ address, signed_on, open_ms, silent_ms }) => ({
      ...{ process_id, address, signed_on, opened: before(seen, open_ms) },
      ...(silent_ms !== null && { last_message: before(seen, silent_ms) }),
    })),
  )
  return { connections, mac_failures: sum('mac_failures'), messages_refused: sum('refused') }
}

const before = (at: Date, ms: number): Date => new Date(at.getTime() - ms)
