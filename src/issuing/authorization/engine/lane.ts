/**
 * The messages of one tenant that wait for a decision: a queue for each card, so that messages of a
 * card are decided in their order, and a card that has to wait delays no other. Batches that follow
 * each other may take messages of the same card; one under locks holds the queues of its cards.
 */

import type { AuthorizationAnswer } from '../schema.ts'
import { CardQueue, Pending, type Submission } from './pending.ts'

/** Larger batches hold their locks longer and save little more. */
export const BATCH_LIMIT = 128

export class Lane {
  readonly tenant_id: string
  /** Messages of a batch at most. */
  readonly #limit: number
  /** Batches that are decided under locks. */
  running = 0
  /** A start of batches is already planned for this turn of the event loop. */
  starting = false
  /** Messages that have no answer yet, wherever they are. */
  open = 0
  readonly #cards = new Map<string, CardQueue>()
  readonly #ready = new Set<CardQueue>()
  readonly #locking = new Set<CardQueue>()

  constructor(tenant_id: string, limit: number) {
    this.tenant_id = tenant_id
    this.#limit = limit
  }

  add(submission: Submission): Pending {
    const pending = new Pending(submission, this.#queueOf(nameOf(submission)))
    const { queue } = pending
    this.open += 1
    // A waiting repeat must not get an approval that is being reversed.
    if (pending.reverses) queue.waiting.unshift(pending)
    else queue.waiting.push(pending)
    this.#place(queue)
    return pending
  }

  /** The messages of the next batch. Those behind them may be taken by the batch after it. */
  take(): Pending[] {
    const taken: Pending[] = []
    for (const queue of this.#ready) {
      this.#takeFrom(queue, this.#limit - taken.length, taken)
      this.#place(queue)
      if (taken.length >= this.#limit) break
    }
    return taken
  }

  /**
   * The messages of the next batch that is decided under locks: one that is apart from all others,
   * or those of queues that need locks, which are held until `release`. Messages that have found a
   * lock before come last: each further try may wait for it, and all others would wait with it.
   */
  takeLocking(): Pending[] {
    const taken: Pending[] = []
    for (const queue of [...this.#locking].sort((one, other) => one.tries - other.tries)) {
      const isAlone = queue.waiting[0]?.alone === true
      if (isAlone && taken.length > 0) continue
      this.#takeFrom(queue, isAlone ? 1 : this.#limit - taken.length, taken, isAlone)
      if (queue.taken > 0) this.hold(queue)
      else this.#place(queue)
      if (isAlone ? taken.length > 0 : taken.length >= this.#limit) break
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

  /** No batch takes from the queue until `endAsking`, whatever else holds or releases it. */
  beginAsking(queue: CardQueue): void {
    queue.asking += 1
    this.#place(queue)
  }

  endAsking(queue: CardQueue): void {
    queue.asking -= 1
    this.#place(queue)
  }

  /**
   * A batch has ended. Its messages that are still open are decided before those of their cards
   * that came later.
   */
  giveBack(taken: readonly Pending[]): void {
    for (const pending of taken.toReversed()) {
      const { queue } = pending
      queue.taken -= 1
      if (!pending.isOpen) continue
      pending.state = 'queued'
      queue.waiting.unshift(pending)
    }
    for (const { queue } of taken) this.#place(queue)
  }

  resolve(pending: Pending, answer: AuthorizationAnswer): void {
    if (!pending.isOpen) return
    pending.resolve(answer)
    this.open -= 1
  }

  reject(pending: Pending, error: unknown): void {
    if (!pending.isOpen) return
    pending.reject(error)
    this.open -= 1
  }

  /** The messages that no batch has taken. */
  waiting(): Pending[] {
    return [...this.#cards.values()].flatMap(({ waiting }) => waiting)
  }

  isEmpty(): boolean {
    return this.#cards.size === 0
  }

  #queueOf(name: string): CardQueue {
    const known = this.#cards.get(name)
    if (known) return known
    const queue = new CardQueue(name)
    this.#cards.set(name, queue)
    return queue
  }

  #takeFrom(queue: CardQueue, most: number, taken: Pending[], alone = false): void {
    for (const end = taken.length + most; taken.length < end && queue.waiting.length > 0; ) {
      if ((queue.waiting[0]?.alone === true) !== alone) return
      const pending = queue.waiting.shift()
      if (!pending?.isOpen) continue
      pending.state = 'taken'
      queue.taken += 1
      taken.push(pending)
    }
  }

  /** Puts a queue where the next batch that may take from it looks. */
  #place(queue: CardQueue): void {
    this.#ready.delete(queue)
    this.#locking.delete(queue)
    if (queue.waiting.length === 0 && queue.taken === 0) this.#cards.delete(queue.name)
    else if (queue.held || queue.asking > 0 || queue.waiting.length === 0) return
    else if (queue.needs_locks || queue.waiting[0]?.alone) this.#locking.add(queue)
    else this.#ready.add(queue)
  }
}

/** The queues whose messages these batches have taken. */
export const queuesOf = (batches: readonly { taken: readonly Pending[] }[]): Set<CardQueue> =>
  new Set(batches.flatMap(({ taken }) => taken.map(({ queue }) => queue)))

/**
 * The card as the message names it. Messages that name one card by different numbers have no order
 * among them.
 */
function nameOf({ request: { card } }: Submission): string {
  return 'pan' in card ? card.pan.reveal() : card.card_id
}
