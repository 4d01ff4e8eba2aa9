/**
 * A process's records of its jobs: when each ran last, for how long, and how it failed. They are in
 * memory only; the heartbeat of the process writes them (issuing/processes).
 */

import { DatabaseUnavailable } from '#kit/db/connections/outage.ts'
import { codeOf } from '#kit/start_error.ts'
import { ApiError } from '#lib/result.ts'

/** A sweep goes round all tenants, a chore looks after the database. */
export const JOB_KINDS = ['SWEEP', 'CHORE'] as const
export const JOB_STATUSES = ['FAILING', 'OVERDUE', 'WAITING', 'OK'] as const
export type JobStatus = (typeof JOB_STATUSES)[number]

/** A run later than this behind its time is overdue, and so long is a failure shown. */
const PATIENCE_MS = 60_000

export type Job = {
  name: string
  kind: (typeof JOB_KINDS)[number]
  /** The time from one run to the next. */
  every_ms: number
}

/** Instants are by the clock that is given to `read`. */
export type JobState = Job & {
  status: JobStatus
  last_run?: Date
  took_ms?: number
  failures: number
  last_failed?: Date
  last_error?: string
}

export type JobMeasure = Job & { since_success_ms: number; took_ms: number }

/** Instants are monotonic milliseconds of this process. */
type Kept = {
  job: Job
  since: number
  ended?: number
  took_ms?: number
  /** The end of the last run that met no failure. */
  succeeded?: number
  failures: number
  failed?: number
  /** The last success before the failures of this time. */
  before?: number
  error?: string
}

export class JobRecords {
  readonly #kept = new Map<string, Kept>()
  readonly #passed: () => number

  /** `passed` is a monotonic clock in milliseconds. */
  constructor(passed: () => number = () => performance.now()) {
    this.#passed = passed
  }

  /** From now on the job is to run. */
  add(job: Job): void {
    this.#kept.set(job.name, { job, since: this.#passed(), failures: 0 })
  }

  /** Runs the job once. Rejects as `work` does. */
  async run(name: string, work: () => Promise<void>): Promise<void> {
    const kept = this.#kept.get(name)
    const began = this.#passed()
    const { failures } = kept ?? { failures: 0 }
    try {
      await work()
      if (kept && kept.failures === failures) kept.succeeded = this.#passed()
    } catch (error) {
      this.fail(name, error)
      throw error
    } finally {
      if (kept) {
        kept.ended = this.#passed()
        kept.took_ms = Math.round(kept.ended - began)
      }
    }
  }

  /** A part of a run has failed, and the run goes on. */
  fail(name: string, error: unknown): void {
    const kept = this.#kept.get(name)
    if (!kept) return
    const now = this.#passed()
    const goesOn = kept.failed !== undefined && isRecent(kept.failed, now)
    if (!goesOn) kept.before = kept.succeeded ?? kept.since
    kept.failures += 1
    kept.failed = now
    kept.error = sentenceOf(error)
  }

  /**
   * The measures of each job for the metrics; one that has not succeeded yet counts from its start.
   * While a failure is recent no run is a success: a slow turn may fail after the end of its round.
   */
  measure(): JobMeasure[] {
    const passed = this.#passed()
    return [...this.#kept.values()].map(({ job, since, succeeded, failed, before, took_ms }) => {
      const isFailing = failed !== undefined && isRecent(failed, passed)
      const last = (isFailing ? before : succeeded) ?? since
      return { ...job, since_success_ms: passed - last, took_ms: took_ms ?? 0 }
    })
  }

  /** The states of all jobs, in the order in which they were added. */
  read(now: Date): JobState[] {
    const passed = this.#passed()
    const at = (instant: number) => new Date(now.getTime() - (passed - instant))
    return [...this.#kept.values()].map((kept) => ({
      ...kept.job,
      status: statusOf(kept, passed),
      ...(kept.ended !== undefined && { last_run: at(kept.ended) }),
      ...(kept.took_ms !== undefined && { took_ms: kept.took_ms }),
      failures: kept.failures,
      ...(kept.failed !== undefined && { last_failed: at(kept.failed) }),
      ...(kept.error !== undefined && { last_error: kept.error }),
    }))
  }
}

function statusOf({ job, since, ended, succeeded, failed }: Kept, passed: number): JobStatus {
  const isFailing = failed !== undefined && (failed >= (succeeded ?? 0) || isRecent(failed, passed))
  if (isFailing) return 'FAILING'
  if (passed - (ended ?? since) > job.every_ms + PATIENCE_MS) return 'OVERDUE'
  return ended === undefined ? 'WAITING' : 'OK'
}

/** One tenant of many may fail in each round while the others succeed. */
const isRecent = (failed: number, passed: number) => passed - failed < PATIENCE_MS

/**
 * The failure in a sentence. Messages of errors are left out: they may quote values of rows. The
 * log of the process has them.
 */
function sentenceOf(error: unknown): string {
  if (error instanceof DatabaseUnavailable) return 'The database did not answer.'
  if (error instanceof ApiError) return `It was rejected with ${error.code}.`
  const code = codeOf(error)
  if (code !== undefined && /^(\d\w|XX|P0)\w{3}$/.test(code)) {
    return `The database rejected a statement with ${code}.`
  }
  const name = error instanceof Error ? error.name : 'an unknown error'
  return `It failed with ${name}; the log has the details.`
}
