/**
 * A connection on which whole transactions are sent without waiting, the next one behind it. Each
 * is one group of statements, which is a transaction (statement_group.ts). The server runs them in
 * this order.
 */

import type { TenantsSeen } from '../security/tenants_seen.ts'
import type { Write, Written } from '../write.ts'
import type { Loan } from './bound.ts'
import { asOutage, CommitInDoubt, DatabaseUnavailable, endsConnection } from './outage.ts'
import type { Lease } from './pool.ts'
import type { Outcome } from './statement_group.ts'

/** All statements of a transaction. */
type Making<Db> = (db: Db) => Write

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
   * Sends a transaction. A statement itself checks the rows that it must find: its failure makes
   * the server roll back, whatever was sent after it. Rejects with CommitInDoubt if the outcome is
   * unknown; after any other error nothing was committed.
   */
  async send(make: Making<Db>): Promise<readonly Written[]> {
    const before = this.#sending
    const { promise: sent, resolve } = Promise.withResolvers<void>()
    this.#sending = sent
    await before
    try {
      return await this.#send(make, resolve)
    } finally {
      resolve()
    }
  }

  /** Once nothing that was sent is unanswered. */
  release(): void {
    this.#lease.release(this.#broken)
  }

  async #send(make: Making<Db>, sent: () => void): Promise<readonly Written[]> {
    if (this.#broken) throw new DatabaseUnavailable(new Error('the connection has ended'))
    this.#loan.begin(this.#lease, this.#seen)
    const { written, ending } = this.#start(make)
    sent()
    const [results, outcome] = await Promise.all([settled(written), ending])
    return this.#resultOf(results, outcome)
  }

  /** A failure before all of it was handed over fails alone: none of it is sent. */
  #start(make: Making<Db>) {
    try {
      const written = make(this.#loan.db).start()
      written.catch(() => {})
      this.#loan.assertWhole()
      return { written, ending: this.#loan.send() }
    } finally {
      this.#loan.end()
    }
  }

  #resultOf(
    written: PromiseSettledResult<readonly Written[]>,
    outcome: Outcome | undefined,
  ): readonly Written[] {
    if (outcome && outcome.kind !== 'COMMITTED') {
      const { kind, error } = outcome
      this.#broken ||= kind === 'UNKNOWN' || endsConnection(error)
      throw kind === 'UNKNOWN' ? new CommitInDoubt(error) : asOutage(error)
    }
    if (written.status === 'fulfilled') return written.value
    throw outcome ? new CommitInDoubt(written.reason) : written.reason
  }
}

async function settled<Value>(promise: Promise<Value>): Promise<PromiseSettledResult<Value>> {
  const [result] = await Promise.allSettled([promise])
  return result
}
