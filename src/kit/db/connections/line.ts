/**
 * A connection on which whole transactions are sent without waiting, the next one behind it. Each
 * is one group of statements, which is a transaction (statement_group.ts). The server runs them in
 * this order.
 */

import { microtasks } from '#lib/promises.ts'
import type { TenantsSeen } from '../security/tenants_seen.ts'
import type { Loan } from './bound.ts'
import { asOutage, CommitInDoubt, DatabaseUnavailable, endsConnection } from './outage.ts'
import type { Lease } from './pool.ts'
import type { Outcome } from './statement_group.ts'

/** The statements of a transaction, all of which `work` has started before it first waits. */
type Work<Db, Result> = (db: Db) => Promise<Result>

export class Line<Db> {
  readonly #lease: Lease
  readonly #loan: Loan<Db>
  readonly #seen: TenantsSeen
  #sending: Promise<unknown> = Promise.resolve()
  #broken = false

  constructor(lease: Lease, loan: Loan<Db>, seen: TenantsSeen) {
    this.#lease = lease
    this.#loan = loan
    this.#seen = seen
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
    this.#lease.release(this.#broken)
  }

  async #send<Result>(work: Work<Db, Result>, sent: () => void): Promise<Result> {
    if (this.#broken) throw new DatabaseUnavailable(new Error('the connection has ended'))
    this.#loan.begin(this.#lease, this.#seen)
    const working = work(this.#loan.db)
    let unsent = false
    working.catch(() => {
      unsent = true
    })
    await microtasks()
    // What failed before anything could be answered is not sent at all.
    const ending = unsent ? undefined : this.#loan.send()
    // A statement that is started later would be a transaction of its own.
    this.#loan.end()
    sent()
    const [worked, outcome] = await Promise.all([settled(working), ending])
    return this.#resultOf(worked, outcome)
  }

  #resultOf<Result>(worked: PromiseSettledResult<Result>, outcome: Outcome | undefined): Result {
    if (outcome && outcome.kind !== 'COMMITTED') {
      const { kind, error } = outcome
      this.#broken ||= kind === 'UNKNOWN' || endsConnection(error)
      throw kind === 'UNKNOWN' ? new CommitInDoubt(error) : asOutage(error)
    }
    if (worked.status === 'fulfilled') return worked.value
    // What `work` checks itself comes too late: the caller must look for what was committed.
    throw outcome ? new CommitInDoubt(worked.reason) : worked.reason
  }
}

async function settled<Value>(promise: Promise<Value>): Promise<PromiseSettledResult<Value>> {
  const [result] = await Promise.allSettled([promise])
  return result
}
