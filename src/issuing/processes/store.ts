/** Heartbeats of processes. They belong to no tenant, and every instant is the database's. */

import { sql } from 'kysely'
import { databaseNow, databaseNowPlus } from '#kit/clock.ts'
import type { Context } from '#kit/context.ts'
import type { Db } from '#kit/db/database.ts'
import type { JobState } from '#kit/jobs/job_records.ts'

/** The columns that a process writes about itself. */
export type Heartbeat = {
  id: string
  name: string
  version: string
  roles: readonly string[]
  connections: number
  jobs: readonly JobState[]
}

/** Rows of processes that have ended without a word are kept for so long. */
const KEPT_MS = 24 * 60 * 60_000
/** More than any installation has. */
const PROCESSES_MAX = 200

/** Writes the row of the process. */
export async function upsertProcess(db: Db, heartbeat: Heartbeat): Promise<void> {
  const { id, name, version, roles, connections, jobs } = heartbeat
  await sql`
    insert into processes (id, name, version, roles, started, seen, connections, jobs)
    values (${id}::uuid, ${name}, ${version}, ${[...roles]}::text[], ${databaseNow},
      ${databaseNow}, ${connections}, ${JSON.stringify(jobs)}::jsonb)
    on conflict (id) do update
    set seen = excluded.seen, connections = excluded.connections, jobs = excluded.jobs`.execute(db)
}

/** Deletes processes that have not been seen for a day. */
export async function deleteOldProcesses(db: Db): Promise<void> {
  await db.deleteFrom('processes').where('seen', '<', databaseNowPlus(-KEPT_MS)).execute()
}

export async function deleteProcess(db: Db, id: string): Promise<void> {
  await db.deleteFrom('processes').where('id', '=', id).execute()
}

export type ProcessRow = Omit<Heartbeat, 'jobs'> & { started: Date; seen: Date; now: Date }

const columns = ['id', 'name', 'version', 'roles', 'started', 'seen', 'connections'] as const

/** Newest first, with the instant of the statement. */
export function listProcessRows({ db }: Pick<Context, 'db'>): Promise<ProcessRow[]> {
  return db
    .selectFrom('processes')
    .select([...columns, databaseNow.as('now')])
    .orderBy('started', 'desc')
    .orderBy('id', 'desc')
    .limit(PROCESSES_MAX)
    .execute()
}

/** A job as jsonb has it. */
type KeptJob = Omit<JobState, 'last_run' | 'last_failed'> & {
  last_run?: string
  last_failed?: string
}
export type ProcessJobs = Pick<ProcessRow, 'id' | 'name' | 'seen' | 'now'> & { jobs: KeptJob[] }

export async function listProcessJobs({ db }: Pick<Context, 'db'>): Promise<ProcessJobs[]> {
  const rows = await db
    .selectFrom('processes')
    .select(['id', 'name', 'seen', 'jobs', databaseNow.as('now')])
    .orderBy('started', 'desc')
    .orderBy('id', 'desc')
    .limit(PROCESSES_MAX)
    .execute()
  // The column has what upsertProcess wrote.
  return rows.map((row) => ({ ...row, jobs: row.jobs as unknown as KeptJob[] }))
}
