/**
 * Transactions that requests of one tenant share: statements of several of them at one time are
 * sent and committed together (D-393). For work that locks rows, decides and writes, and whose
 * statements may stand between those of others. Within a transaction a lock keeps nothing out, so
 * two that may lock the same row must have the same name.
 */

import { type Context, isTx, type Tx, transact } from '#kit/context.ts'
import { Batches } from '#lib/batches.ts'
import { CommitInDoubt } from './connections/outage.ts'
import type { Db } from './database.ts'
import { limitLocks } from './locks.ts'

/** A second one is read while the first is written. */
const OPTIONS = { size: 32, at_once: 2, waiting: 1_000, apart: true }

type Work<Result> = (tx: Tx) => Promise<Result>
type Job = { ctx: Context; work: Work<unknown> }
/** Undefined if it has to be done in a transaction of its own: nothing of it is written. */
type Shared = { result: unknown } | undefined

/** Each tenant of a process has its own. */
const known = new WeakMap<Db, Batches<Job, Shared>>()

/**
 * As `transact`, in a transaction that other work may share. Work of one `name` never shares one,
 * and follows each other. If any of it fails, all of it is rolled back and each is done by itself,
 * with its own result or error. Fails with CommitInDoubt if it is not known whether all was
 * committed.
 */
export async function transactTogether<Result>(
  ctx: Context | Tx,
  name: string,
  work: Work<Result>,
): Promise<Result> {
  if (isTx(ctx)) return work(ctx)
  const batches = known.get(ctx.db) ?? new Batches(OPTIONS, share)
  known.set(ctx.db, batches)
  const shared = await batches.add({ ctx, work }, [name])
  // The value that `work` has returned to `share`.
  return shared ? (shared.result as Result) : transact(ctx, work)
}

async function share(jobs: readonly Job[]): Promise<Shared[]> {
  const [first] = jobs
  if (!first || jobs.length === 1) return jobs.map(() => undefined)
  try {
    const results = await transact(first.ctx, (tx) => doAll(tx, jobs))
    return results.map((result) => ({ result }))
  } catch (error) {
    if (error instanceof CommitInDoubt) throw error
    return jobs.map(() => undefined)
  }
}

async function doAll(tx: Tx, jobs: readonly Job[]): Promise<unknown[]> {
  const { db, afterCommit, withCommit, dueTimes, changes } = tx
  const shared = { db, afterCommit, withCommit, ...(dueTimes && { dueTimes, changes }) }
  const limited = limitLocks(tx).start()
  const done = jobs.map(({ ctx, work }) => work({ ...ctx, ...shared }))
  const [, ...results] = await Promise.allSettled([limited, ...done])
  return results.map((result) => {
    // An error that would commit is one of one request, and not of all.
    if (result.status === 'rejected') throw new AggregateError([result.reason])
    return result.value
  })
}
