/**
 * A connection on which whole transactions are sent without waiting: BEGIN, all statements and
 * COMMIT in one go, the next transaction behind it. The server runs them in this order.
 */

import { microtasks } from '#lib/promises.ts'
import type { Loan } from './bound.ts'
import { asOutage, CommitInDoubt, DatabaseUnavailable } from './outage.ts'
import type { Lease } from './pool.ts'

/** The statements of a transaction, all of which `work` has started before it first waits. */
type Work<Db, Result> = (db: Db) => Promise<Result>

export class Line<Db> {
  readonly #lease: Lease
  readonly #transaction: Loan<Db>
  readonly #begin: string
  #sending: Promise<unknown> = Promise.resolve()
  #broken = false

  /** `begin` is the statement that begins each transaction. */
  constructor(lease: Lease, transaction: Loan<Db>, begin: string) {
    this.#lease = lease
    this.#transaction = transaction
    this.#begin = begin
  }

  /**
   * Sends a transaction. What a statement must find is checked by the statement itself: its failure
   * makes the server roll back, whatever was sent after it. Rejects with CommitInDoubt where the
   * outcome is unknown; after any other error nothing was committed.
   */
  async send<Result>(work: Work<Db, Result>): Promise<Result> {
    const before = this.#sending
    const { promise: sent, resolve } = Promise.withResolvers<void>()
    this.#sending = sent
    await before
    try {
      return await this.#send(work, resolve)
    } finally {
      resolve()
    }
  }

  /** Once nothing that was sent is unanswered. */
  release(): void {
    this.#transaction.end()
    this.#lease.release(this.#broken)
  }

  async #send<Result>(work: Work<Db, Result>, sent: () => void): Promise<Result> {
    if (this.#broken) throw new DatabaseUnavailable(new Error('the connection has ended'))
    const { client } = this.#lease
    const begun = client.query(this.#begin)
    const working = work(this.#transaction.db)
    let unsent = false
    working.catch(() => {
      unsent = true
    })
    await microtasks()
    this.#transaction.send()
    // What failed before anything could be answered was never sent as a whole.
    const ended = client.query(unsent ? 'rollback' : 'commit')
    sent()
    const [begin, worked, end] = await Promise.allSettled([begun, working, ended])
    return this.#outcome(begin, worked, end)
  }

  #outcome<Result>(
    begin: PromiseSettledResult<unknown>,
    worked: PromiseSettledResult<Result>,
    end: PromiseSettledResult<{ command: string }>,
  ): Result {
    const failure = begin.status === 'rejected' ? begin : worked
    if (end.status === 'fulfilled') {
      if (failure.status === 'rejected') {
        // What `work` checks itself comes too late: the caller must look for what was committed.
        throw end.value.command === 'COMMIT' ? new CommitInDoubt(failure.reason) : failure.reason
      }
      if (end.value.command !== 'COMMIT') {
        throw new Error(`the transaction ended with ${end.value.command}`)
      }
      if (worked.status === 'fulfilled') return worked.value
    }
    this.#broken = true
    const { reason } = failure.status === 'rejected' ? failure : (end as PromiseRejectedResult)
    // The server has rejected a statement of the transaction before the connection ended.
    if (failure.status === 'rejected' && isAnswer(reason)) throw asOutage(reason)
    throw new CommitInDoubt(reason)
  }
}

/** Whether the server itself has sent this error, as it is or reported as an outage. */
function isAnswer(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('severity' in error && typeof error.severity === 'string') return true
  return error instanceof DatabaseUnavailable && isAnswer(error.cause)
}
