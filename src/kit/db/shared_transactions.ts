/**
 * Transactions that requests of one tenant share (D-393). Those that arrive at one time are one
 * list, and a list is one transaction. A list that fails is halved until the request that fails is
 * alone; that one is done by itself.
 */

import { type Context, isTx, type Tx, transact } from '#kit/context.ts'
import { Batches, type BatchOptions } from '#lib/batches.ts'
import { CommitInDoubt, DatabaseUnavailable } from './connections/outage.ts'
import type { Db } from './database.ts'
import { isLocked, limitLocks, SHARED_MS } from './locks.ts'

/** A second one is read while the first is written. */
const AT_ONCE = { at_once: 2, waiting: 1_000 }

/** Undefined if the request has to be done by itself: nothing of it is written. */
export type Shared<Result> = { result: Result } | undefined
type Outcome<Result> = Shared<Result> | CommitInDoubt

/**
 * Serves a list in one transaction, in which a lock is waited for so many milliseconds. The results
 * are in the order of the requests.
 */
type Serve<Request, Result> = (
  requests: readonly Request[],
  lock_ms: number,
) => Promise<readonly Shared<Result>[]>

/** The lists of each tenant of this process. */
export class Lists<Request extends { ctx: Context }, Result> {
  readonly #options: BatchOptions
  readonly #serve: Serve<Request, Result>
  readonly #known = new WeakMap<Db, Batches<Request, Outcome<Result>>>()

  constructor(options: { size: number; apart?: true }, serve: Serve<Request, Result>) {
    this.#options = { ...AT_ONCE, ...options }
    this.#serve = serve
  }

  /**
   * Two that have a name in common follow each other. Fails with CommitInDoubt if it is not known
   * whether the list was committed.
   */
  async serve(request: Request, names: readonly string[]): Promise<Shared<Result>> {
    const outcome = await this.#batchesOf(request).add(request, names)
    if (outcome instanceof CommitInDoubt) throw outcome
    return outcome
  }

  #batchesOf({ ctx: { db } }: Request) {
    const batches =
      this.#known.get(db) ??
      new Batches(this.#options, (requests) => this.#halve(requests, SHARED_MS))
    this.#known.set(db, batches)
    return batches
  }

  async #halve(requests: readonly Request[], lock_ms: number): Promise<Outcome<Result>[]> {
    try {
      return [...(await this.#serve(requests, lock_ms))]
    } catch (error) {
      if (error instanceof CommitInDoubt) return requests.map(() => error)
      if (requests.length === 1 || isOutage(error)) return requests.map(() => undefined)
    }
    const middle = Math.ceil(requests.length / 2)
    const outcomes: Outcome<Result>[] = []
    for (const half of [requests.slice(0, middle), requests.slice(middle)]) {
      // Half as long: a lock that another holds delays the list by twice the time at most.
      const served = half.length > 1 ? await this.#halve(half, lock_ms / 2) : [undefined]
      outcomes.push(...served)
    }
    return outcomes
  }
}

/** An outage is that of each request; a lock that was not had in time is that of one. */
const isOutage = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable && !isLocked(error)

type Work<Result> = (tx: Tx) => Promise<Result>
type Job = { ctx: Context; work: Work<unknown> }

/** Work of one name is never in one list: within a transaction a lock keeps nothing out. */
const jobs = new Lists<Job, unknown>({ size: 32, apart: true }, doAll)

/**
 * As `transact`, in a transaction that other work may share. For work that locks rows, decides and
 * writes, and whose statements may stand between those of others. Two that may lock the same row
 * must have the same `name`.
 */
export async function shareTransaction<Result>(
  ctx: Context | Tx,
  name: string,
  work: Work<Result>,
): Promise<Result> {
  if (isTx(ctx)) return work(ctx)
  const shared = await jobs.serve({ ctx, work }, [name])
  // The value that `work` has returned to `doAll`.
  return shared ? (shared.result as Result) : transact(ctx, work)
}

async function doAll(list: readonly Job[], lock_ms: number): Promise<Shared<unknown>[]> {
  const [first, second] = list
  if (!first || !second) return list.map(() => undefined)
  return transact(first.ctx, async (tx) => {
    const { db, afterCommit, withCommit, dueTimes, changes } = tx
    const shared = { db, afterCommit, withCommit, ...(dueTimes && { dueTimes, changes }) }
    const limited = limitLocks(tx, lock_ms).start()
    const done = list.map(({ ctx, work }) => work({ ...ctx, ...shared }))
    const [, ...results] = await Promise.allSettled([limited, ...done])
    return results.map((result) => {
      // An error that would commit is one of one request, and not of all.
      if (result.status === 'rejected') throw new AggregateError([result.reason])
      return { result: result.value }
    })
  })
}
