/**
 * A queue for each card of a tenant, and batches of the waiting messages. No timer and no delay:
 * the busier it is the larger they are. Batches follow each other in a chain, without locks
 * (chain.ts). A message whose account is locked, or changed again and again, is decided under locks
 * (locking.ts).
 */

import { setTimeout as wait } from 'node:timers/promises'
import { isConflict } from '#kit/db/conflict.ts'
import { CommitInDoubt } from '#kit/db/database.ts'
import type { Services } from '#kit/http/callers/callers.ts'
import { metrics } from '../metrics.ts'
import { Responder } from '../responder/responder.ts'
import type { AuthorizationAnswer } from '../schema.ts'
import { Asking } from './asking.ts'
import type { Decided } from './batch.ts'
import { type Batch, BatchBefore, Chain } from './chain.ts'
import { engineContext } from './context.ts'
import {
  AccountBusy,
  defaultLimits,
  type EngineLimits,
  EngineOverloaded,
  isTaken,
  patience,
} from './errors.ts'
import { sortFailed, sortFailedUnderLocks } from './failures.ts'
import { BATCH_LIMIT, Lane, queuesOf } from './lane.ts'
import { runUnderLocks } from './locking.ts'
import { Outcomes } from './outcomes.ts'
import type { CardQueue, Pending, Submission } from './pending.ts'
import { inBatch } from './spans.ts'
import { Products } from './store/products.ts'
import { UnansweredQueue } from './unanswered_queue.ts'

/** Messages of one tenant without an answer; past them a message gets EngineOverloaded. */
const QUEUE_LIMIT = 50_000
const LOCKING_TRIES = 3
/** The size of a batch of messages of files: its rows are locked while it is written (D-1391). */
const FILE_BATCH_LIMIT = 64

/** Milliseconds. A card whose account is locked is tried again after a pause that doubles. */
const FIRST_PAUSE_MS = 2
const LONGEST_PAUSE_MS = 100

const NONE: ReadonlySet<CardQueue> = new Set()

/** The engine as the rest of the program uses it. */
export type Authorizer = Pick<Engine, 'submit'>

/** `key` is that of the map of them: a tenant has one for the line and one for its files. */
type Tenant = { key: string; lane: Lane; chain: Chain }

export class Engine {
  readonly #services: Services
  readonly #limits: EngineLimits
  readonly #unanswered: UnansweredQueue
  readonly #outcomes: Outcomes
  readonly #products = new Products()
  readonly #asking: Asking
  readonly #tenants = new Map<string, Tenant>()
  #stopped = false

  constructor(services: Services, limits: Partial<EngineLimits> = {}, responder = new Responder()) {
    this.#services = services
    this.#limits = { ...defaultLimits, ...limits }
    this.#asking = new Asking(services, responder)
    this.#unanswered = new UnansweredQueue(services)
    this.#outcomes = new Outcomes(services, this.#unanswered, this.#limits, () => this.#stopped)
  }

  /**
   * Decides one message. Rejects with OutcomeUnknown if it may have taken effect; after any other
   * rejection it is certain that nothing of it was committed.
   */
  submit(tenant_id: string, submission: Submission): Promise<AuthorizationAnswer> {
    const tenant = this.#tenantOf(tenant_id, submission.request.by_file === true)
    const { lane } = tenant
    if (this.#stopped || lane.open >= QUEUE_LIMIT) return Promise.reject(new EngineOverloaded())
    const { answer, reverses } = lane.add(submission)
    // Messages that arrive in the same turn of the event loop go into the same batch.
    if (!lane.starting) {
      lane.starting = true
      setImmediate(() => {
        lane.starting = false
        this.#start(tenant)
      })
    }
    if (reverses) answer.catch(() => this.#unanswered.add(tenant_id, [reverses]))
    return answer
  }

  /** Messages without an answer, and approvals to be reversed that are not stored yet. */
  waiting(): { messages: number; reversals: number } {
    const messages = [...this.#tenants.values()].reduce((sum, { lane }) => sum + lane.open, 0)
    return { messages, reversals: this.#unanswered.size() }
  }

  /**
   * Waits until everything that was submitted is answered, within a bound. The rest is then
   * rejected, and nothing more is accepted.
   */
  async drain(): Promise<void> {
    const end = performance.now() + this.#limits.drain_ms
    while (this.#tenants.size > 0 || !this.#unanswered.idle()) {
      if (performance.now() > end) return this.#stop()
      await wait(FIRST_PAUSE_MS)
    }
  }

  #stop(): void {
    this.#stopped = true
    this.#asking.stop()
    this.#unanswered.stop()
    for (const { lane } of this.#tenants.values()) {
      for (const pending of lane.waiting()) lane.reject(pending, new EngineOverloaded())
    }
  }

  /** No request waits for a batch of messages of files: these have a chain of their own. */
  #tenantOf(tenant_id: string, isOfFile: boolean): Tenant {
    const key = isOfFile ? `${tenant_id} files` : tenant_id
    const known = this.#tenants.get(key)
    if (known) return known
    const lane = new Lane(tenant_id, isOfFile ? FILE_BATCH_LIMIT : BATCH_LIMIT)
    const tenant = { key, lane, chain: this.#newChain(tenant_id) }
    this.#tenants.set(key, tenant)
    return tenant
  }

  #newChain(tenant_id: string): Chain {
    const ctx = engineContext(this.#services, tenant_id)
    return new Chain(ctx, this.#products, this.#limits.following)
  }

  #start(tenant: Tenant): void {
    const { lane } = tenant
    if (!lane.running) {
      const locking = lane.takeLocking()
      if (locking.length > 0) void this.#runUnderLocks(tenant, locking)
    }
    while (tenant.chain.canFollow(lane.open)) {
      const taken = lane.take()
      if (taken.length === 0) break
      void this.#run(tenant, taken)
    }
    if (lane.isEmpty() && !lane.starting) this.#tenants.delete(tenant.key)
  }

  async #run(tenant: Tenant, taken: readonly Pending[]): Promise<void> {
    const { lane, chain } = tenant
    metrics.batchSize.observe(taken.length)
    try {
      const done = await inBatch(lane.tenant_id, taken, () =>
        chain.run(
          taken,
          (left) => this.#asking.askAhead(lane, left, () => this.#start(tenant)),
          (decided) => {
            if (decided) this.#asking.hold(lane, decided)
            this.#start(tenant)
          },
        ),
      )
      void this.#outcomes.answer(lane, done.taken, done.answers)
      lane.giveBack(done.taken)
      this.#ask(tenant, done.taken, done)
    } catch {
      // The chain knows why.
      if (tenant.chain === chain) void this.#unwind(tenant)
    }
    this.#start(tenant)
  }

  /**
   * A batch of the chain has failed. Its cards and those of the batches behind it wait until all
   * have ended, and those of batches in doubt until their outcome is known; other cards go on in a
   * new chain.
   */
  async #unwind(tenant: Tenant): Promise<void> {
    const { lane, chain } = tenant
    tenant.chain = this.#newChain(lane.tenant_id)
    const held = queuesOf(chain.batches)
    for (const queue of held) lane.hold(queue)
    await Promise.all(chain.batches.map(({ end }) => end))
    const failed = chain.batches.filter(({ ended }) => ended?.error !== undefined)
    const certain = failed.findIndex(({ ended }) => !(ended?.error instanceof CommitInDoubt))
    const doubtful = certain < 0 ? failed : failed.slice(0, certain)
    const rest = failed.slice(doubtful.length)
    // The others failed because it did.
    const first = rest.find(({ ended }) => !(ended?.error instanceof BatchBefore))
    if (first && doubtful.length === 0) sortFailed(lane, this.#products, first)
    const inDoubt = queuesOf(doubtful)
    this.#giveBack(
      tenant,
      rest,
      [...held].filter((queue) => !inDoubt.has(queue)),
    )
    await this.#outcomes.resolveAll(lane, doubtful, (batches) =>
      this.#giveBack(tenant, batches, queuesOf(batches)),
    )
  }

  #giveBack(tenant: Tenant, batches: readonly Batch[], queues: Iterable<CardQueue>): void {
    for (const { taken } of batches.toReversed()) tenant.lane.giveBack(taken)
    for (const queue of queues) tenant.lane.release(queue)
    this.#start(tenant)
  }

  #ask(tenant: Tenant, taken: readonly Pending[], decided: Decided): ReadonlySet<CardQueue> {
    return this.#asking.ask(tenant.lane, taken, decided, (queue) => {
      tenant.lane.release(queue)
      this.#start(tenant)
    })
  }

  async #runUnderLocks(tenant: Tenant, taken: readonly Pending[]): Promise<void> {
    const { lane } = tenant
    lane.running += 1
    metrics.batchSize.observe(taken.length)
    let pausing = true
    let isOver = false
    let asked: ReadonlySet<CardQueue> = NONE
    const ctx = engineContext(this.#services, lane.tenant_id)
    for (let attempt = 1; !isOver; attempt++) {
      let run: ReturnType<typeof runUnderLocks> | undefined
      try {
        const done = await inBatch(lane.tenant_id, taken, () => {
          run = runUnderLocks(ctx, this.#products, taken)
          return run.done
        })
        void this.#outcomes.answer(lane, taken, done.answers)
        asked = this.#ask(tenant, taken, done)
        isOver = true
      } catch (error) {
        const decided = run?.decided()
        if (error instanceof CommitInDoubt && decided) {
          lane.running -= 1
          void this.#resolveLocking(tenant, taken, decided)
          return this.#start(tenant)
        }
        if (decided) this.#products.forget(lane, decided)
        // A repeat that another process answered meanwhile is found when the batch runs again.
        const again = isConflict(error) || isTaken(error)
        isOver = !again || attempt === LOCKING_TRIES
        if (isOver) pausing = sortFailedUnderLocks(lane, taken, error)
      }
    }
    lane.running -= 1
    this.#end(tenant, taken, pausing, asked)
    this.#start(tenant)
  }

  async #resolveLocking(
    tenant: Tenant,
    taken: readonly Pending[],
    decided: Decided,
  ): Promise<void> {
    const kept = await this.#outcomes.resolve(tenant.lane, taken, decided)
    this.#end(tenant, taken, kept === true)
    this.#start(tenant)
  }

  /**
   * Ends a batch under locks: its cards may be taken again, those with a message aside after a
   * pause, those with one that is asked about when that is answered.
   */
  #end(tenant: Tenant, taken: readonly Pending[], pausing: boolean, asked = NONE): void {
    const { lane } = tenant
    const now = performance.now()
    for (const pending of taken) {
      if (now - pending.received > patience(pending, this.#limits))
        lane.reject(pending, new AccountBusy())
    }
    const open = new Set(taken.filter(({ isOpen }) => isOpen).map(({ queue }) => queue))
    lane.giveBack(taken)
    for (const queue of new Set(taken.map(({ queue }) => queue))) {
      if (open.has(queue) && !asked.has(queue)) {
        if (pausing) this.#pause(tenant, queue)
        else lane.release(queue)
        continue
      }
      queue.tries = 0
      queue.needs_locks = false
      if (!asked.has(queue)) lane.release(queue)
    }
  }

  /** Its messages occupy neither a batch nor a connection meanwhile. */
  #pause(tenant: Tenant, queue: CardQueue): void {
    const longest = Math.min(FIRST_PAUSE_MS * 2 ** queue.tries, LONGEST_PAUSE_MS)
    queue.tries += 1
    // Random, so that two processes do not collide again and again.
    const pause = longest * (0.5 + Math.random() / 2)
    setTimeout(() => {
      tenant.lane.release(queue)
      this.#start(tenant)
    }, pause)
  }
}
