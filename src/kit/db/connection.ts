/** Connections behind Kysely: named statements, sent as they are started. */

import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import { codeOf } from '#kit/start_error.ts'
import { asOutage } from './outage.ts'
import type { Lease } from './pool.ts'

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
  constructor(lease: Lease) {
    this.lease = lease
  }
  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const name = statementName(sql)
    const query = { text: sql, values: [...parameters], ...(name !== undefined && { name }) }
    try {
      const { rows, rowCount } = await this.lease.client.query(query)
      return { rows, numAffectedRows: BigInt(rowCount ?? 0) }
    } catch (error) {
      if (codeOf(error) === ABORTED) throw asOutage(this.failure ?? error)
      this.failure = error
      throw asOutage(error)
    }
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
