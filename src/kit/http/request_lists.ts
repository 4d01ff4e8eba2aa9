/**
 * Requests of one tenant that arrive at one time, as one list of an operation: one transaction with
 * their effects, audit records and stored answers (D-393).
 */

import { recordChange } from '#kit/audit_log/records.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { limitLocks } from '#kit/db/locks.ts'
import { Lists, type Shared } from '#kit/db/shared_transactions.ts'
import { Write } from '#kit/db/write.ts'
import { allOf } from '#lib/promises.ts'
import { ApiError } from '#lib/result.ts'
import { type Finished, keepAnswers, listUsedKeys } from './idempotency.ts'
import type { MaybeKeep } from './route.ts'

/** The most requests of a list. */
const SIZE = 64

/** A request for a list, and the answer that its result is presented as. */
export type Joining<Request, Result> = {
  request: Request
  present: (result: Result) => unknown
  keep: MaybeKeep
}
type Listed<Request, Result> = Joining<Request, Result> & { ctx: Context }

/** Undefined for a request that has to be done by itself. */
export type Performed<Result> = {
  /** In the order of the requests. */
  results: readonly (Result | undefined)[]
  /** Not started: the last statement before the COMMIT locks the rows that others wait for. */
  last?: Write
}

type Operation<Request, Result> = (
  tx: Tx,
  requests: readonly Request[],
) => Promise<Performed<Result>>

export class RequestLists<Request, Result> {
  readonly #operation: Operation<Request, Result>
  readonly #lists: Lists<Listed<Request, Result>, Finished>

  constructor(operation: Operation<Request, Result>) {
    this.#operation = operation
    this.#lists = new Lists({ size: SIZE }, (list, lock_ms) => this.#serve(list, lock_ms))
  }

  /**
   * The answer of a request, stored under its key. Two that have a name in common follow each
   * other. Undefined if the request has to be done by itself: nothing of it was written. Fails with
   * CommitInDoubt if that is unknown.
   */
  async join(
    ctx: Context,
    joining: Joining<Request, Result>,
    names: readonly string[],
  ): Promise<Finished | undefined> {
    const { key } = joining.keep
    const ofKey = key ? [`key ${key.key}`] : []
    const shared = await this.#lists.serve({ ctx, ...joining }, [...names, ...ofKey])
    return shared?.result
  }

  /** Requests whose key was used before are done by themselves, where their answer is found. */
  async #serve(
    list: readonly Listed<Request, Result>[],
    lock_ms: number,
    used: ReadonlySet<string> = new Set(),
  ): Promise<Shared<Finished>[]> {
    const fresh = firstUses(list, used)
    try {
      const answers = await this.#perform(fresh, lock_ms)
      return list.map((one) => {
        const result = answers[fresh.indexOf(one)]
        return result && { result }
      })
    } catch (error) {
      if (!(error instanceof KeysUsed)) throw error
      return this.#serve(list, lock_ms, error.keys)
    }
  }

  /** In the order of `list`, at the newest instant of its requests. */
  async #perform(
    list: readonly Listed<Request, Result>[],
    lock_ms: number,
  ): Promise<(Finished | undefined)[]> {
    const [first] = list
    if (!first) return []
    const now = new Date(Math.max(...list.map(({ ctx }) => ctx.now.getTime())))
    return transact({ ...first.ctx, now }, async (tx) => {
      const requests = list.map(({ request }) => request)
      // Sent together: whether a key was used is read with what the operation reads first.
      const [, used, { results, last }] = await allOf([
        limitLocks(tx, lock_ms).start(),
        usedKeys(tx, list),
        this.#operation(tx, requests),
      ])
      if (used.size > 0) throw new KeysUsed(used)
      const answers = list.map(({ keep, present }, at) => {
        const result = results[at]
        return result && keep.finish(present(result))
      })
      void tx.withCommit(Write.all(tx.db, keepEach(tx, list, answers), last))
      return answers
    })
  }
}

/** The transaction ends: the operation has done the requests of these keys again. */
class KeysUsed extends Error {
  readonly keys: ReadonlySet<string>
  constructor(keys: ReadonlySet<string>) {
    super('keys of the list were used before')
    this.keys = keys
  }
}

/** Without those whose key is one of `used`, or that of a request before them. */
function firstUses<Request extends { keep: MaybeKeep }>(
  list: readonly Request[],
  used: ReadonlySet<string>,
): Request[] {
  const taken = new Set(used)
  return list.filter(({ keep: { key } }) => {
    if (!key) return true
    const isFirst = !taken.has(key.key)
    taken.add(key.key)
    return isFirst
  })
}

async function usedKeys(tx: Tx, list: readonly { keep: MaybeKeep }[]): Promise<Set<string>> {
  const keys = list.flatMap(({ keep }) => keep.key?.key ?? [])
  return keys.length === 0 ? new Set() : listUsedKeys(tx, keys)
}

/** Stores the answers, and notes the audit records; fails if a key was used meanwhile. */
function keepEach(
  tx: Tx,
  list: readonly { ctx: Context; keep: MaybeKeep }[],
  answers: readonly (Finished | undefined)[],
): Write {
  const kept = list.flatMap(({ ctx, keep: { key } }, at) => {
    const finished = answers[at]
    if (!finished) return []
    const { audited } = ctx
    if (audited) recordChange({ ...tx, audited })
    return key ? { key, ...finished } : []
  })
  return keepAnswers(tx, kept)
}

/** The result of `work` for each request, if it is not left out. */
export function resultsOf<Request, Result>(
  requests: readonly Request[],
  work: (request: Request, at: number) => Result,
): (Result | undefined)[] {
  return requests.map((request, at) => {
    try {
      return work(request, at)
    } catch (error) {
      return leftOut(requests)(error)
    }
  })
}

/**
 * Leaves out a request of several that has an error: it is done by itself. The error of one that is
 * alone is thrown.
 */
export const leftOut = (requests: readonly unknown[]) => (error: unknown) => {
  if (error instanceof ApiError && requests.length > 1) return undefined
  throw error
}
