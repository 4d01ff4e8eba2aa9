/**
 * The queue before the batches, one for each tenant. While batches are at the database the next one
 * gathers: no timer and no delay, and the busier it is the larger the batches.
 */

import { setTimeout as wait } from 'node:timers/promises'
import { isAdvice } from '#iso8583/mti.ts'
import { CommitInDoubt, DatabaseUnavailable } from '#kit/db/database.ts'
import type { Services } from '#kit/http/callers.ts'
import { metrics } from '#kit/metrics.ts'
import { isReversible, unansweredOf } from '../decide/unanswered.ts'
import type { AuthorizationAnswer } from '../schema.ts'
import { type Answers, BatchInDoubt, type Doubt, runBatch } from './batch.ts'
import { engineContext } from './context.ts'
import { isBatchKept } from './doubt.ts'
import type { Job } from './job.ts'
import { type CardQueue, Lane, type Taken, type Waiting } from './lane.ts'
import { UnansweredQueue } from './unanswered_queue.ts'

/**
 * Batches of one tenant at once: while one is decided here, the other is at the database. The pool
 * of batches has four connections, so no tenant ever takes more than half of them.
 */
const BATCHES_AT_ONCE = 2
/** Messages of one tenant without an answer; past them a message gets EngineOverloaded. */
const QUEUE_LIMIT = 50_000
const CONFLICT_RETRIES = 3

/** Milliseconds. A card whose account is locked is tried again after a pause that doubles. */
const FIRST_PAUSE_MS = 2
const LONGEST_PAUSE_MS = 100
/** How often requests in doubt are checked for those that waited too long. */
const LOOK_MS = 50

const defaultLimits = {
  /** A request whose outcome is unknown so long after it came is not answered, milliseconds. */
  answer_ms: 4_500,
  /** An advice waits so long for an account that another session has locked. */
  advice_ms: 30_000,
  /** `drain` waits no longer. */
  drain_ms: 10_000,
}
export type EngineLimits = typeof defaultLimits

/** More requests wait than can be answered in time. Nothing was committed. */
export class EngineOverloaded extends Error {
  override name = 'EngineOverloaded'
}

/** The account stayed locked by another session for too long. Nothing was committed. */
export class AccountBusy extends EngineOverloaded {
  override name = 'AccountBusy'
}

/**
 * Whether the request took effect could not be found out in time. The network gets no answer: an
 * approval that turns out to be committed is reversed (D-301). Over HTTP it is a 503 like any
 * outage.
 */
export class OutcomeUnknown extends CommitInDoubt {
  override name = 'OutcomeUnknown'
}

/** The engine as the rest of the program uses it. */
export type Authorizer = Pick<Engine, 'submit'>

export class Engine {
  readonly #services: Services
  readonly #limits: EngineLimits
  readonly #unanswered: UnansweredQueue
  readonly #lanes = new Map<string, Lane>()
  #stopped = false

  constructor(services: Services, limits: Partial<EngineLimits> = {}) {
    this.#services = services
    this.#limits = { ...defaultLimits, ...limits }
    this.#unanswered = new UnansweredQueue(services)
  }

  /**
   * Decides one message. Rejects with OutcomeUnknown where it may have taken effect; after any
   * other rejection it is certain that nothing of it was committed.
   */
  submit(tenant_id: string, job: Job): Promise<AuthorizationAnswer> {
    const lane = this.#lanes.get(tenant_id) ?? new Lane(tenant_id)
    this.#lanes.set(tenant_id, lane)
    if (this.#stopped || lane.open >= QUEUE_LIMIT) return Promise.reject(new EngineOverloaded())
    const answer = lane.add(job)
    // What arrives in the same turn of the event loop goes into the same batch.
    if (!lane.starting) {
      lane.starting = true
      setImmediate(() => {
        lane.starting = false
        this.#start(lane)
      })
    }
    const { reverses } = job
    if (reverses) answer.catch(() => this.#unanswered.add(tenant_id, [reverses]))
    return answer
  }

  /**
   * Waits until everything that was submitted is answered, within a bound. What is left then is
   * rejected, and nothing more is accepted.
   */
  async drain(): Promise<void> {
    const end = performance.now() + this.#limits.drain_ms
    while (this.#lanes.size > 0 || !this.#unanswered.idle()) {
      if (performance.now() > end) return this.#stop()
      await wait(FIRST_PAUSE_MS)
    }
  }

  #stop(): void {
    this.#stopped = true
    this.#unanswered.stop()
    for (const lane of this.#lanes.values()) {
      for (const job of lane.waiting()) lane.reject(job, new EngineOverloaded())
    }
  }

  #start(lane: Lane): void {
    while (lane.running < BATCHES_AT_ONCE) {
      const taken = lane.take()
      if (taken.length === 0) break
      lane.running += 1
      void this.#decide(lane, taken)
    }
    if (lane.isEmpty() && !lane.starting) this.#lanes.delete(lane.tenant_id)
  }

  async #decide(lane: Lane, taken: readonly Taken[]): Promise<void> {
    metrics.batchSize.observe(taken.length)
    let doubt: Doubt | undefined
    let pausing = true
    try {
      this.#answer(lane, taken, await this.#run(lane.tenant_id, taken))
    } catch (error) {
      if (error instanceof BatchInDoubt) doubt = error.doubt
      else pausing = this.#failed(lane, taken, error)
    }
    lane.running -= 1
    // In doubt the place is free for other cards.
    if (doubt) void this.#resolve(lane, taken, doubt)
    else this.#end(lane, taken, pausing)
    this.#start(lane)
  }

  /** A repeat that another process answered meanwhile is found when the batch runs again. */
  async #run(tenant_id: string, taken: readonly Taken[]): Promise<Answers> {
    const jobs = taken.map(({ job }) => job)
    for (let attempt = 1; ; attempt++) {
      try {
        return await runBatch(this.#services, tenant_id, jobs)
      } catch (error) {
        if (!hasCode(error, UNIQUE_VIOLATION) || attempt === CONFLICT_RETRIES) throw error
      }
    }
  }

  #answer(lane: Lane, taken: readonly Taken[], answers: Answers): void {
    const end = performance.now()
    for (const [at, { job }] of taken.entries()) {
      const answer = answers[at]
      if (!answer || !job.open) continue
      metrics.authorizations.inc({ status_code: answer.status_code })
      metrics.authorizationSeconds.observe((end - job.since) / 1000)
      lane.resolve(job, answer)
    }
  }

  /**
   * A batch failed and committed nothing. One that holds several messages is taken apart, once:
   * each is decided alone. Answers whether those that stay open must pause.
   */
  #failed(lane: Lane, taken: readonly Taken[], error: unknown): boolean {
    const isLocked = hasCode(error, LOCK_NOT_AVAILABLE)
    if (error instanceof DatabaseUnavailable && !isLocked) {
      for (const { job } of taken) lane.reject(job, error)
    } else if (taken.length > 1) {
      for (const { job } of taken) job.alone = true
      return false
    } else if (!isLocked) {
      for (const { job } of taken) lane.reject(job, error)
    }
    return true
  }

  /** Ends a batch: its cards may be taken again, those with a message aside after a pause. */
  #end(lane: Lane, taken: readonly Taken[], pausing: boolean): void {
    const now = performance.now()
    for (const { job } of taken) {
      if (job.open && now - job.since > this.#patience(job)) lane.reject(job, new AccountBusy())
    }
    const open = new Set(taken.filter(({ job }) => job.open).map(({ queue }) => queue))
    lane.giveBack(taken)
    for (const queue of new Set(taken.map((one) => one.queue))) {
      if (pausing && open.has(queue)) this.#pause(lane, queue)
      else {
        queue.tries = 0
        lane.release(queue)
      }
    }
  }

  /** Its messages occupy neither a batch nor a connection meanwhile. */
  #pause(lane: Lane, queue: CardQueue): void {
    const longest = Math.min(FIRST_PAUSE_MS * 2 ** queue.tries, LONGEST_PAUSE_MS)
    queue.tries += 1
    // Random, so that two processes do not collide again and again.
    const pause = longest * (0.5 + Math.random() / 2)
    setTimeout(() => {
      lane.release(queue)
      this.#start(lane)
    }, pause)
  }

  #patience(job: Waiting): number {
    return waitsLong(job) ? this.#limits.advice_ms : this.#limits.answer_ms
  }

  /**
   * Finds the outcome of a batch in doubt. Its cards wait meanwhile, so that no repeat is answered
   * before that is known.
   */
  async #resolve(lane: Lane, taken: readonly Taken[], doubt: Doubt): Promise<void> {
    const looks = setInterval(() => this.#giveUp(lane, taken), LOOK_MS)
    const ctx = engineContext(this.#services, lane.tenant_id)
    const kept = await isBatchKept(ctx, doubt, () => this.#stopped)
    if (kept) {
      this.#answer(lane, taken, doubt.answers)
      await this.#reverseUnanswered(lane, taken, doubt.answers)
    }
    clearInterval(looks)
    if (kept === undefined) {
      for (const { job } of taken) lane.reject(job, new OutcomeUnknown(undefined))
    }
    this.#end(lane, taken, kept === true)
    this.#start(lane)
  }

  /** No answer rather than a wrong one, to requests in doubt and to those behind them. */
  #giveUp(lane: Lane, taken: readonly Taken[]): void {
    const now = performance.now()
    const behind = new Set(taken.map(({ queue }) => queue))
    const jobs = [...taken.map(({ job }) => job), ...[...behind].flatMap(({ jobs }) => jobs)]
    for (const job of jobs) {
      const isLate = job.open && !waitsLong(job) && now - job.since > this.#limits.answer_ms
      if (isLate) lane.reject(job, new OutcomeUnknown(undefined))
    }
  }

  async #reverseUnanswered(lane: Lane, taken: readonly Taken[], answers: Answers): Promise<void> {
    const lost = taken.flatMap(({ job: { request, heard } }, at) => {
      const answer = answers[at]
      if (heard || !answer || !isReversible(request, answer)) return []
      return unansweredOf(request, answer) ?? []
    })
    if (lost.length > 0) await this.#unanswered.add(lane.tenant_id, lost)
  }
}

const UNIQUE_VIOLATION = '23505'
const LOCK_NOT_AVAILABLE = '55P03'

/** Whether PostgreSQL failed with this code, also where it was reported as an outage. */
function hasCode(error: unknown, code: string): boolean {
  if (!(error instanceof Error)) return false
  return ('code' in error && error.code === code) || hasCode(error.cause, code)
}

/** An advice of the network waits until its outcome is known; a call by HTTP does not. */
const waitsLong = ({ request: { message_type, duplicate_key } }: Waiting): boolean =>
  isAdvice(message_type) && duplicate_key !== undefined
