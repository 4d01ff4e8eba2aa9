/**
 * The queue before the batches, one for each tenant. While batches are at the database the next one
 * gathers: no timer and no delay, and the busier it is the larger the batches (design, section 4).
 */

import type { Services } from '#kit/callers.ts'
import { DatabaseUnavailable } from '#kit/database.ts'
import { metrics } from '#kit/metrics.ts'
import { type Job, runBatch } from './batch.ts'
import type { AuthorizationAnswer } from './schema.ts'

/** Larger batches hold their locks longer and save little more. */
const BATCH_LIMIT = 128
/** Two at once: while one is decided here, the other is at the database. */
const BATCHES_AT_ONCE = 2
/** Beyond this the network is told to try another time rather than kept waiting. */
const QUEUE_LIMIT = 50_000
const CONFLICT_RETRIES = 3

/** More requests wait than can be answered in time. */
export class EngineOverloaded extends Error {
  override name = 'EngineOverloaded'
}

type Waiting = Job & {
  since: number
  resolve: (answer: AuthorizationAnswer) => void
  reject: (error: unknown) => void
}

type Lane = { waiting: Waiting[]; running: number }

/** What the rest of the program asks of the engine. */
export type Authorizer = Pick<Engine, 'submit'>

export class Engine {
  readonly #services: Services
  readonly #lanes = new Map<string, Lane>()
  #batches = new Set<Promise<void>>()

  constructor(services: Services) {
    this.#services = services
  }

  /** Decides one request. Rejects only when nothing could be recorded: outage or overload. */
  submit(tenant_id: string, job: Job): Promise<AuthorizationAnswer> {
    const lane = this.#lanes.get(tenant_id) ?? { waiting: [], running: 0 }
    this.#lanes.set(tenant_id, lane)
    if (lane.waiting.length >= QUEUE_LIMIT) return Promise.reject(new EngineOverloaded())
    const { promise, resolve, reject } = Promise.withResolvers<AuthorizationAnswer>()
    lane.waiting.push({ ...job, since: performance.now(), resolve, reject })
    // What arrives in the same turn of the event loop goes into the same batch.
    if (lane.waiting.length === 1) setImmediate(() => this.#start(tenant_id, lane))
    return promise
  }

  /** Waits until everything that was submitted is answered. */
  async drain(): Promise<void> {
    while (
      this.#batches.size > 0 ||
      [...this.#lanes.values()].some((lane) => lane.waiting.length)
    ) {
      await Promise.all([...this.#batches, new Promise((resolve) => setImmediate(resolve))])
    }
  }

  #start(tenant_id: string, lane: Lane): void {
    while (lane.running < BATCHES_AT_ONCE && lane.waiting.length > 0) {
      const jobs = lane.waiting.splice(0, BATCH_LIMIT)
      lane.running += 1
      const batch = this.#decide(tenant_id, jobs).then(() => {
        lane.running -= 1
        this.#batches.delete(batch)
        this.#start(tenant_id, lane)
        if (lane.running === 0 && lane.waiting.length === 0) this.#lanes.delete(tenant_id)
      })
      this.#batches.add(batch)
    }
  }

  async #decide(tenant_id: string, jobs: readonly Waiting[]): Promise<void> {
    metrics.batchSize.observe(jobs.length)
    try {
      const answers = await this.#run(tenant_id, jobs)
      const end = performance.now()
      for (const [at, job] of jobs.entries()) {
        const answer = answers[at]
        if (!answer) throw new Error('a batch answered too few')
        metrics.authorizations.inc({ status_code: answer.status_code })
        metrics.authorizationSeconds.observe((end - job.since) / 1000)
        job.resolve(answer)
      }
    } catch (error) {
      if (jobs.length === 1 || error instanceof DatabaseUnavailable) {
        for (const job of jobs) job.reject(error)
        return
      }
      // One of them cannot be written; the halves are tried apart until it stands alone.
      const middle = Math.ceil(jobs.length / 2)
      await this.#decide(tenant_id, jobs.slice(0, middle))
      await this.#decide(tenant_id, jobs.slice(middle))
    }
  }

  /** A repeat that another process answered meanwhile is found when the batch runs again. */
  async #run(tenant_id: string, jobs: readonly Waiting[]): Promise<AuthorizationAnswer[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await runBatch(this.#services, tenant_id, jobs)
      } catch (error) {
        if (!isConflict(error) || attempt === CONFLICT_RETRIES) throw error
      }
    }
  }
}

const isConflict = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '23505'
