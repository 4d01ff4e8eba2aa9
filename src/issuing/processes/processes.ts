/** Public functions of the processes slice: the running processes and their health (D-630). */

import type { Context } from '#kit/context.ts'
import { JOB_STATUSES } from '#kit/jobs/job_records.ts'
import { healthOf, judgedAt, type ProcessRole, statusOf } from './rules.ts'
import type { Health, Job, Jobs, Processes } from './schema.ts'
import { listProcessJobs, listProcessRows, type ProcessJobs } from './store.ts'

export {
  deleteOldProcesses as forgetOldProcesses,
  deleteProcess as forgetProcess,
  type Heartbeat,
  upsertProcess as recordProcess,
} from './store.ts'

/** The health of the platform, by the heartbeats of its processes. */
export async function readHealth(ctx: Context): Promise<Health> {
  const rows = await listProcessRows(ctx)
  return healthOf(rows, rows[0]?.now ?? ctx.now, ctx.db.isNodeAway())
}

export async function listProcesses(ctx: Context): Promise<Processes> {
  const rows = await listProcessRows(ctx)
  const judged = judgedAt(rows, rows[0]?.now ?? ctx.now, ctx.db.isNodeAway())
  return {
    processes: rows.map(({ now: _now, roles, ...row }) => ({
      ...row,
      // The check of the column has the same words.
      roles: roles as ProcessRole[],
      status: statusOf(row.seen, judged),
    })),
  }
}

/** The jobs of the processes that are there, those that need attention first. */
export async function listJobs(ctx: Context): Promise<Jobs> {
  const rows = await listProcessJobs(ctx)
  const judged = judgedAt(rows, rows[0]?.now ?? ctx.now, ctx.db.isNodeAway())
  const present = rows.filter(({ seen }) => statusOf(seen, judged) !== 'DOWN')
  const urgency = ({ status }: Job) => JOB_STATUSES.indexOf(status)
  return {
    jobs: present
      .flatMap(jobsOf)
      .sort((a, b) => urgency(a) - urgency(b) || a.name.localeCompare(b.name)),
  }
}

function jobsOf({ id, name, seen, jobs }: ProcessJobs): Job[] {
  return jobs.map(({ every_ms, last_run, last_failed, ...job }) => ({
    ...job,
    every_seconds: every_ms / 1000,
    ...(last_run !== undefined && { last_run: new Date(last_run) }),
    ...(last_failed !== undefined && { last_failed: new Date(last_failed) }),
    process_id: id,
    process_name: name,
    seen,
  }))
}
