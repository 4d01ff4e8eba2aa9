/**
 * The messages of one tenant that wait for a decision: a queue for each card, so that messages of a
 * card are decided in their order, and a card that has to wait delays no other. Batches that follow
 * each other may take messages of the same card; one under locks holds the queues of its cards.
 */

import type { AuthorizationAnswer } from '../schema.ts'
import type { Job } from './job.ts'

/** Larger batches hold their locks longer and save little more. */
const BATCH_LIMIT = 128

export type Waiting = Job & {
  /** Time of arrival on the monotonic clock, milliseconds. */
  since: number
  /** It was in a batch that failed, and is decided apart from all others. */
  alone: boolean
  /** How often in a row what it was decided on had changed before it was written. */
  conflicts: number
  /** Whether it still waits for its answer. */
  open: boolean
  /** Whether it got an answer; false also if it was abandoned. */
  heard: boolean
  resolve: (answer: AuthorizationAnswer) => void
  reject: (error: unknown) => void
}

/** The messages of a card, in a lane's `ready` or `locking` while the next may be taken. */
export type CardQueue = {
  name: string
  jobs: Waiting[]
  /** Its messages that are in batches. */
  taken: number
  /** No batch takes from it until `release`. */
  held: boolean
  /** Its next messages are decided under the lock of their account. */
  needs_locks: boolean
  /** How often in a row its account was found locked. */
  tries: number
}

/** A message in a batch, with the queue that it came from. */
export type Taken = { queue: CardQueue; job: Waiting }

export class Lane {
  readonly tenant_id: string
  /** Batches that are decided under locks. */
  running = 0
  /** A start of batches is already planned for this turn of the event loop. */
  starting = false
  /** Messages that have no answer yet, wherever they are. */
  open = 0
  readonly #cards = new Map<string, CardQueue>()
  readonly #ready = new Set<CardQueue>()
  readonly #locking = new Set<CardQueue>()

  constructor(tenant_id: string) {
    this.tenant_id = tenant_id
  }

  add(job: Job): Promise<AuthorizationAnswer> {
    const { promise, ...ends } = Promise.withResolvers<AuthorizationAnswer>()
    const since = job.received ?? performance.now()
    const waiting: Waiting = {
      ...job,
      ...{ since, alone: false, conflicts: 0, open: true, heard: false },
      ...ends,
    }
    this.open += 1
    const queue = this.#queueOf(nameOf(job))
    // A waiting repeat must not get an approval that is being reversed.
    if (job.reverses) queue.jobs.unshift(waiting)
    else queue.jobs.push(waiting)
    this.#place(queue)
    return promise
  }

  /** The messages of the next batch. Those behind them may be taken by the batch after it. */
  take(): Taken[] {
    const taken: Taken[] = []
    for (const queue of this.#ready) {
      this.#takeFrom(queue, BATCH_LIMIT - taken.length, taken)
      this.#place(queue)
      if (taken.length >= BATCH_LIMIT) break
    }
    return taken
  }

  /**
   * The messages of the next batch that is decided under locks: one that is apart from all others,
   * or those of queues that need locks, which are held until `release`. Messages that have found a
   * lock before come last: each further try may wait for it, and all others would wait with it.
   */
  takeLocking(): Taken[] {
    const taken: Taken[] = []
    for (const queue of [...this.#locking].sort((one, other) => one.tries - other.tries)) {
      const isAlone = queue.jobs[0]?.alone === true
      if (isAlone && taken.length > 0) continue
      this.#takeFrom(queue, isAlone ? 1 : BATCH_LIMIT - taken.length, taken, isAlone)
      if (queue.taken > 0) this.hold(queue)
      else this.#place(queue)
      if (isAlone ? taken.length > 0 : taken.length >= BATCH_LIMIT) break
    }
    return taken
  }

  hold(queue: CardQueue): void {
    queue.held = true
    this.#place(queue)
  }

  /** The messages of a queue may be taken again. */
  release(queue: CardQueue): void {
    queue.held = false
    this.#place(queue)
  }

  /**
   * A batch has ended. Its messages that are still open are decided before those of their cards
   * that came later.
   */
  giveBack(taken: readonly Taken[]): void {
    for (const { queue, job } of taken.toReversed()) {
      queue.taken -= 1
      if (job.open) queue.jobs.unshift(job)
    }
    for (const { queue } of taken) this.#place(queue)
  }

  resolve(job: Waiting, answer: AuthorizationAnswer): void {
    if (!this.#close(job)) return
    job.heard = true
    job.resolve(answer)
  }

  reject(job: Waiting, error: unknown): void {
    if (this.#close(job)) job.reject(error)
  }

  /** The messages that no batch has taken. */
  waiting(): Waiting[] {
    return [...this.#cards.values()].flatMap(({ jobs }) => jobs)
  }

  isEmpty(): boolean {
    return this.#cards.size === 0
  }

  #queueOf(name: string): CardQueue {
    const known = this.#cards.get(name)
    if (known) return known
    const queue = { name, jobs: [], taken: 0, held: false, needs_locks: false, tries: 0 }
    this.#cards.set(name, queue)
    return queue
  }

  #takeFrom(queue: CardQueue, most: number, taken: Taken[], alone = false): void {
    for (const end = taken.length + most; taken.length < end && queue.jobs.length > 0; ) {
      if ((queue.jobs[0]?.alone === true) !== alone) return
      const job = queue.jobs.shift()
      if (!job?.open) continue
      queue.taken += 1
      taken.push({ queue, job })
    }
  }

  /** Puts a queue where the next batch that may take from it looks. */
  #place(queue: CardQueue): void {
    this.#ready.delete(queue)
    this.#locking.delete(queue)
    if (queue.jobs.length === 0 && queue.taken === 0) this.#cards.delete(queue.name)
    else if (queue.held || queue.jobs.length === 0) return
    else if (queue.needs_locks || queue.jobs[0]?.alone) this.#locking.add(queue)
    else this.#ready.add(queue)
  }

  #close(job: Waiting): boolean {
    if (!job.open) return false
    job.open = false
    this.open -= 1
    return true
  }
}

/** The queues whose messages these batches have taken. */
export const queuesOf = (batches: readonly { taken: readonly Taken[] }[]): Set<CardQueue> =>
  new Set(batches.flatMap(({ taken }) => taken.map(({ queue }) => queue)))

/**
 * The card as the message names it. Messages that name one card by different numbers have no order
 * among them.
 */
function nameOf({ request: { card } }: Job): string {
  return 'pan' in card ? card.pan.reveal() : card.card_id
}
