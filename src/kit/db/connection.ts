/** Connections behind Kysely: named statements, sent as they are started. */

import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import type pg from 'pg'
import { codeOf } from '#kit/start_error.ts'
import { asOutage } from './outage.ts'
import type { Lease } from './pool.ts'
import { beginningOfReads, END_OF_READS, type TenantsSeen } from './tenants_seen.ts'

const NAMED_STATEMENTS = 1000
/** A statement after one that has failed, in the same transaction. */
const ABORTED = '25P02'

const statementNames = new Map<string, string>()

/** Every text that recurs is prepared once per connection; past the bound a text stays unnamed. */
function statementName(text: string): string | undefined {
  const known = statementNames.get(text)
  if (known !== undefined || statementNames.size >= NAMED_STATEMENTS) return known
  const name = `s${statementNames.size}`
  statementNames.set(text, name)
  return name
}

/** A connection on loan, as Kysely uses it. */
export class Connection implements DatabaseConnection {
  lease: Lease
  /** The newest error but ABORTED: the one that has ended a transaction whose statements get that. */
  failure: unknown
  readonly #seen: TenantsSeen
  /** With `seen`, every statement is a transaction of its own that states it. */
  constructor(lease: Lease, seen: TenantsSeen = null) {
    this.lease = lease
    this.#seen = seen
  }
  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const name = statementName(sql)
    const query = { text: sql, values: [...parameters], ...(name !== undefined && { name }) }
    try {
      const { rows, rowCount } = await this.#send(query)
      return { rows, numAffectedRows: BigInt(rowCount ?? 0) }
    } catch (error) {
      if (codeOf(error) === ABORTED) throw asOutage(this.failure ?? error)
      this.failure = error
      throw asOutage(error)
    }
  }
  /** In one round trip, whether or not the statement has a transaction of its own. */
  async #send(query: pg.QueryConfig): Promise<pg.QueryResult> {
    const { client } = this.lease
    if (this.#seen === null) return client.query(query)
    const sent = [
      client.query(beginningOfReads(this.#seen)),
      client.query(query),
      client.query(END_OF_READS),
    ] as const
    const [begun, result, ended] = await Promise.allSettled(sent)
    // Where the tenant was not stated, what the statement found means nothing.
    if (begun.status === 'rejected') throw begun.reason
    if (result.status === 'rejected') throw result.reason
    if (ended.status === 'rejected') throw ended.reason
    return result.value
  }
  // biome-ignore lint/correctness/useYield: the interface requires it and nothing here streams.
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('streaming is not supported')
  }
}

/** Hands out connections without Kysely's queue, so that statements of one transaction pipeline. */
export class LeasingDriver implements Driver {
  readonly #acquire: () => Promise<Connection>
  readonly #release: (connection: Connection) => void
  constructor(acquire: () => Promise<Connection>, release: (connection: Connection) => void) {
    this.#acquire = acquire
    this.#release = release
  }
  async init(): Promise<void> {}
  acquireConnection(): Promise<Connection> {
    return this.#acquire()
  }
  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    if (connection instanceof Connection) this.#release(connection)
  }
  beginTransaction = rejectTransaction
  commitTransaction = rejectTransaction
  rollbackTransaction = rejectTransaction
  async destroy(): Promise<void> {}
}

async function rejectTransaction(): Promise<void> {
  throw new Error('transactions are opened by transact() of kit/context.ts')
}
