/**
 * Requests of one tenant that arrive at one time, served in one transaction (D-393). Whatever
 * stands in the way of one of them, or of all, is found when it is run by itself.
 */

import { recordChanges } from '#kit/audit_log/writing.ts'
import type { Context, Tx } from '#kit/context.ts'
import { CommitInDoubt, type Db } from '#kit/db/database.ts'
import { Write } from '#kit/db/write.ts'
import { Batches } from '#lib/batches.ts'
import { ApiError } from '#lib/result.ts'
import { type Finished, keepAnswers, listUsedKeys } from './idempotency.ts'
import type { MaybeKeep } from './route.ts'

/** A second batch is read while the first is written. */
const OPTIONS = { size: 64, at_once: 2, waiting: 1_000 }

export type Joining = { ctx: Context; keep: MaybeKeep }

/** The answers of those that were served; `ctx` has the newest instant of the requests. */
type Serve<Request> = (
  ctx: Context,
  requests: readonly Request[],
) => Promise<ReadonlyMap<Request, Finished>>

/**
 * The function that adds a request to a batch. Two that have a name in common, or copies under one
 * idempotency key, follow each other. Its result is undefined if the request has to be run by
 * itself: nothing of it was written. Fails with CommitInDoubt if that is unknown.
 */
export function servedTogether<Request extends Joining>(serve: Serve<Request>) {
  // Each tenant of a process has its own.
  const known = new WeakMap<Db, Batches<Request, Finished | undefined>>()
  return async (request: Request, names: readonly string[]): Promise<Finished | undefined> => {
    const { db } = request.ctx
    const batches = known.get(db) ?? new Batches(OPTIONS, (batch) => outcomesOf(serve, batch))
    known.set(db, batches)
    const { key } = request.keep
    return batches.add(request, key ? [...names, `key ${key.key}`] : names)
  }
}

async function outcomesOf<Request extends Joining>(
  serve: Serve<Request>,
  requests: readonly Request[],
): Promise<(Finished | undefined)[]> {
  const [first] = requests
  if (!first) return []
  const now = new Date(Math.max(...requests.map(({ ctx }) => ctx.now.getTime())))
  try {
    const answers = await serve({ ...first.ctx, now }, requests)
    return requests.map((request) => answers.get(request))
  } catch (error) {
    if (error instanceof CommitInDoubt) throw error
    return requests.map(() => undefined)
  }
}

/** The keys of the requests that were used already. */
export async function usedKeys(ctx: Context, requests: readonly Joining[]): Promise<Set<string>> {
  const keys = requests.flatMap(({ keep }) => keep.key?.key ?? [])
  return keys.length === 0 ? new Set() : listUsedKeys(ctx, keys)
}

/**
 * The decision of `decide` for each request: those with a fault, a key of `used` or the key of a
 * request before them are left out.
 */
export function decideEach<Request extends Joining, Decided>(
  requests: readonly Request[],
  used: ReadonlySet<string>,
  decide: (request: Request) => Decided | undefined,
): Map<Request, Decided> {
  const all = new Map<Request, Decided>()
  const taken = new Set(used)
  for (const request of requests) {
    const key = request.keep.key?.key
    const decided =
      key !== undefined && taken.has(key) ? undefined : withoutFault(() => decide(request))
    if (!decided) continue
    all.set(request, decided)
    if (key !== undefined) taken.add(key)
  }
  return all
}

/**
 * Stores the answers under their keys, and a record of each request; fails in the database if a key
 * was used meanwhile.
 */
export function keepEach(tx: Tx, answers: ReadonlyMap<Joining, Finished>): Write {
  const kept = [...answers].flatMap(([{ keep }, finished]) =>
    keep.key ? { key: keep.key, ...finished } : [],
  )
  const entries = [...answers.keys()].flatMap(({ ctx }) => ctx.audited?.entry() ?? [])
  return Write.all(tx.db, keepAnswers(tx, kept), recordChanges(tx, entries))
}

/** Undefined if the request has a fault, which is found again when it is run by itself. */
export function withoutFault<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}
