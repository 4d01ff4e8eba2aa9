/** Connections behind Kysely: named statements, sent as they are started. */

import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import type pg from 'pg'
import { codeOf } from '#kit/start_error.ts'
import { asOutage, DatabaseUnavailable } from './outage.ts'
import type { ConnectionSource, Lane, Lease } from './pool.ts'
import {
  ALL_TENANTS,
  beginningOfReads,
  END_OF_READS,
  stating,
  type TenantsSeen,
} from './tenants_seen.ts'

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
      const { rows, rowCount } = await this.send(query)
      return { rows, numAffectedRows: BigInt(rowCount ?? 0) }
    } catch (error) {
      if (codeOf(error) === ABORTED) throw asOutage(this.failure ?? error)
      this.failure = error
      throw asOutage(error)
    }
  }
  protected send(query: pg.QueryConfig): Promise<pg.QueryResult> {
    return this.lease.client.query(query)
  }
  // biome-ignore lint/correctness/useYield: the interface requires it and nothing here streams.
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('streaming is not supported')
  }
}

/**
 * For single statements that see the rows of a tenant: each is a transaction of its own that states
 * the tenant, in one round trip.
 */
export class StatingConnection extends Connection {
  readonly #seen: string
  constructor(lease: Lease, seen: string) {
    super(lease)
    this.#seen = seen
  }
  protected override send(query: pg.QueryConfig): Promise<pg.QueryResult> {
    const { client } = this.lease
    return resultBetween(
      client.query(beginningOfReads(this.#seen)),
      client.query(query),
      client.query(END_OF_READS),
    )
  }
}

/** For single statements over all tenants within the transaction of one. */
export class WideConnection extends Connection {
  #seen: TenantsSeen = null
  /** The transaction has begun for these. */
  begin(lease: Lease, seen: TenantsSeen): void {
    this.lease = lease
    this.#seen = seen
  }
  protected override send(query: pg.QueryConfig): Promise<pg.QueryResult> {
    const { client } = this.lease
    return resultBetween(
      client.query(stating(ALL_TENANTS)),
      client.query(query),
      client.query(stating(this.#seen)),
    )
  }
}

/** Where the tenants were not stated, what the statement found means nothing. */
async function resultBetween(
  ...sent: readonly [Promise<unknown>, Promise<pg.QueryResult>, Promise<unknown>]
): Promise<pg.QueryResult> {
  const [stated, result, ended] = await Promise.allSettled(sent)
  if (stated.status === 'rejected') throw stated.reason
  if (result.status === 'rejected') throw result.reason
  if (ended.status === 'rejected') throw ended.reason
  return result.value
}

/** Hands out connections without Kysely's queue, so that statements of one transaction pipeline. */
export class LeasingDriver implements Driver {
  readonly #acquire: () => Promise<Connection>
  readonly #release: (connection: Connection) => void
  constructor(
    acquire: () => Promise<Connection>,
    release: (connection: Connection) => void = () => {},
  ) {
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

/** A connection of its own for each statement. */
export function leasingDriver(source: ConnectionSource, lane: Lane): Driver {
  return new LeasingDriver(
    async () => {
      const lease = await leaseFrom(source, lane)
      return lane.seen === null ? new Connection(lease) : new StatingConnection(lease, lane.seen)
    },
    ({ lease }) => lease.release(),
  )
}

export async function leaseFrom(source: ConnectionSource, lane: Lane): Promise<Lease> {
  try {
    return await source.lease(lane)
  } catch (error) {
    // Without a connection no statement was sent.
    throw new DatabaseUnavailable(error)
  }
}
