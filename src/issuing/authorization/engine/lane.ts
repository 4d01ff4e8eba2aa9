/**
 * The messages of one tenant that wait for a decision: a queue for each card, so that messages of a
 * card are decided in their order, and a card that has to wait delays no other.
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
  /** Whether it still waits for its answer. */
  open: boolean
  /** Whether it got an answer; false also where it was abandoned. */
  heard: boolean
  resolve: (answer: AuthorizationAnswer) => void
  reject: (error: unknown) => void
}

/** In a lane's `ready` or `alone`, or taken by a batch, or put aside; never two of these. */
export type CardQueue = {
  name: string
  jobs: Waiting[]
  /** How often in a row its account was found locked. */
  tries: number
}

/** A message in a batch, with the queue that it came from. */
export type Taken = { queue: CardQueue; job: Waiting }

export class Lane {
  readonly tenant_id: string
  /** Batches at work. */
  running = 0
  /** A start of batches is already planned for this turn of the event loop. */
  starting = false
  /** Messages that have no answer yet, wherever they are. */
  open = 0
  readonly #cards = new Map<string, CardQueue>()
  readonly #ready = new Set<CardQueue>()
  /** Those whose next message is decided apart from others. */
  readonly #alone = new Set<CardQueue>()

  constructor(tenant_id: string) {
    this.tenant_id = tenant_id
  }

  add(job: Job): Promise<AuthorizationAnswer> {
    const { promise, ...ends } = Promise.withResolvers<AuthorizationAnswer>()
    const since = performance.now()
    const waiting: Waiting = { ...job, since, alone: false, open: true, heard: false, ...ends }
    this.open += 1
    const name = nameOf(job)
    const known = this.#cards.get(name)
    // A waiting repeat must not get an approval that is being reversed.
    if (known && job.reverses) known.jobs.unshift(waiting)
    else if (known) known.jobs.push(waiting)
    else {
      const queue = { name, jobs: [waiting], tries: 0 }
      this.#cards.set(name, queue)
      this.#ready.add(queue)
    }
    return promise
  }

  /** The messages of the next batch; their cards are not taken again until `release`. */
  take(): Taken[] {
    for (const queue of this.#alone) {
      this.#alone.delete(queue)
      const job = queue.jobs.shift()
      if (job?.open) return [{ queue, job }]
      this.release(queue)
    }
    const taken: Taken[] = []
    for (const queue of this.#ready) {
      this.#ready.delete(queue)
      const next = queue.jobs.slice(0, BATCH_LIMIT - taken.length)
      const end = next.findIndex(({ alone }) => alone)
      const jobs = queue.jobs.splice(0, end < 0 ? next.length : end).filter(({ open }) => open)
      for (const job of jobs) taken.push({ queue, job })
      if (jobs.length === 0) this.release(queue)
      if (taken.length >= BATCH_LIMIT) break
    }
    return taken
  }

  /** Gives messages back, to be decided before those of their cards that came later. */
  giveBack(taken: readonly Taken[]): void {
    for (const { queue, job } of taken.toReversed()) if (job.open) queue.jobs.unshift(job)
  }

  /** The card of a batch that has ended, or of a pause, may be taken again. */
  release(queue: CardQueue): void {
    const [next] = queue.jobs
    if (!next) this.#cards.delete(queue.name)
    else if (next.alone) this.#alone.add(queue)
    else this.#ready.add(queue)
  }

  resolve(job: Waiting, answer: AuthorizationAnswer): void {
    if (!this.#close(job)) return
    job.heard = true
    job.resolve(answer)
  }

  reject(job: Waiting, error: unknown): void {
    if (this.#close(job)) job.reject(error)
  }

  /** Those that no batch has taken. */
  waiting(): Waiting[] {
    return [...this.#cards.values()].flatMap(({ jobs }) => jobs)
  }

  isEmpty(): boolean {
    return this.running === 0 && this.#cards.size === 0
  }

  #close(job: Waiting): boolean {
    if (!job.open) return false
    job.open = false
    this.open -= 1
    return true
  }
}

/**
 * The card as the message names it. Messages that name one card by different numbers have no order
 * among them.
 */
function nameOf({ request: { card } }: Job): string {
  return 'pan' in card ? card.pan.reveal() : card.card_id
}
