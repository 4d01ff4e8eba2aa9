/**
 * PostgreSQL behind Kysely: named statements, pipelined transactions, one class of outage error.
 */

import { setImmediate as turn } from 'node:timers/promises'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import pg from 'pg'
import { type ConnectionSource, createPools, type Lane, type Lease } from './pool.ts'
import type { Database as Tables } from './tables.ts'

const STATEMENT_TIMEOUT_MS = 10_000
/** Connections with which the callers of one key are found at one time. */
const CALLER_PLACES = 2
/** The most lanes with a cached query builder. */
const LANES_KEPT = 2_000
/** Work of no tenant: sweeps that look for work, keys, pages that do not know theirs yet. */
const EVERYONE: Lane = { name: '', limit: Number.POSITIVE_INFINITY }
const WITHIN_TRANSACTION: Lane = { name: 'transaction', limit: 1 }
const NAMED_STATEMENTS = 1000
const DEADLOCK_RETRIES = 3

// Dates stay text (the driver's default is local midnight); int8 is exact; timestamps are Dates.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)
pg.types.setTypeParser(pg.types.builtins.INT8, BigInt)

/** The database cannot be reached or did not answer in time. HTTP 503 (D-9). */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super('the database is not available', { cause })
    this.name = 'DatabaseUnavailable'
  }
}

/**
 * COMMIT was sent and its answer never came: the transaction is either committed or not, and only
 * the database knows. Over HTTP it is a 503 like any outage, since a repeat under the same
 * idempotency key is safe. A caller that needs certainty first waits for the end of the
 * transaction (kit/db/commit_doubt.ts) and then looks for the rows that it should have written.
 */
export class CommitInDoubt extends DatabaseUnavailable {
  override name = 'CommitInDoubt'
}

const statementNames = new Map<string, string>()

/** Every text that recurs is prepared once per connection; past the bound a text stays unnamed. */
function statementName(text: string): string | undefined {
  const known = statementNames.get(text)
  if (known !== undefined || statementNames.size >= NAMED_STATEMENTS) return known
  const name = `s${statementNames.size}`
  statementNames.set(text, name)
  return name
}

class Connection implements DatabaseConnection {
  readonly lease: Lease
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
      throw asOutage(error)
    }
  }
  // biome-ignore lint/correctness/useYield: the interface requires it and nothing here streams.
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('streaming is not supported')
  }
}

/** Hands out connections without Kysely's queue, so that statements of one transaction pipeline. */
class LeasingDriver implements Driver {
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

/** `withCommit` takes statements that were sent and that nothing waits for. */
type Work<Result> = (db: Db, withCommit: (write: Promise<unknown>) => void) => Promise<Result>

/** The query builder over the pool, or over the one connection of a transaction. */
export class Db extends Kysely<Tables> {
  readonly #source: ConnectionSource
  readonly #lane: Lane
  readonly #lanes = new Map<string, Db>()

  constructor(source: ConnectionSource, lane: Lane, driver = leasingDriver(source, lane)) {
    super({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => driver,
        createIntrospector: (db) => new PostgresIntrospector(db),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
    })
    this.#source = source
    this.#lane = lane
  }

  /** The connections of this process, for its metrics. */
  connections(): { idle: number; busy: number; awaited: number } {
    return this.#source.connections()
  }

  /** The same database for one tenant, which gets at most half of the connections. */
  forTenant(tenant_id: string): Db {
    return this.#inLane({ name: tenant_id, limit: Math.ceil(this.#source.size / 2) })
  }

  /** For finding the caller of a key, before its tenant is known. */
  forCaller(key_hash: Buffer): Db {
    return this.#inLane({ name: key_hash.toString('base64'), limit: CALLER_PLACES })
  }

  #inLane(lane: Lane): Db {
    if (this.#lane !== EVERYONE) return this
    const known = this.#lanes.get(lane.name)
    if (known) return known
    if (this.#lanes.size >= LANES_KEPT) this.#lanes.clear()
    const db = new Db(this.#source, lane)
    this.#lanes.set(lane.name, db)
    return db
  }

  /**
   * Runs `work` in one transaction. After a deadlock, which PostgreSQL ends on one side, it runs
   * again from the start; `work` must therefore have no other effects. Statements that `work`
   * starts together are sent together (pipelining), BEGIN with the first. What it gives to
   * `withCommit` travels with the COMMIT, which has no effect where such a statement fails.
   */
  async runTransaction<Result>(work: Work<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(work)
      } catch (error) {
        if (!isDeadlock(error) || attempt === DEADLOCK_RETRIES) throw error
      }
    }
  }

  async #attempt<Result>(work: Work<Result>): Promise<Result> {
    const lease = await leaseFrom(this.#source, this.#lane)
    const { client } = lease
    let broken = false
    let committing = false
    try {
      const begun = client.query('begin')
      begun.catch(() => {})
      const last: Promise<unknown>[] = []
      const result = await work(boundTo(this.#source, lease), (write) => {
        write.catch(() => {})
        last.push(write)
      })
      await begun
      // A turn of the event loop: by then what was just started is sent, before the COMMIT.
      if (last.length > 0) await turn()
      // COMMIT after a failed statement succeeds as ROLLBACK; only the command tag shows it.
      committing = true
      const committed = client.query('commit')
      committed.catch(() => {})
      await Promise.all(last)
      const { command } = await committed
      if (command !== 'COMMIT') throw new Error(`the transaction ended with ${command}`)
      return result
    } catch (error) {
      await client.query('rollback').catch(() => {
        broken = true
      })
      const outage = asOutage(error)
      if (committing && outage instanceof DatabaseUnavailable) throw new CommitInDoubt(error)
      throw outage
    } finally {
      lease.release(broken)
    }
  }
}

function leasingDriver(source: ConnectionSource, lane: Lane): Driver {
  return new LeasingDriver(
    async () => new Connection(await leaseFrom(source, lane)),
    ({ lease }) => lease.release(),
  )
}

const bound = new WeakMap<pg.PoolClient, Db>()

/** Within a transaction there is one connection, whichever lane its work belongs to. */
function boundTo(source: ConnectionSource, lease: Lease): Db {
  const known = bound.get(lease.client)
  if (known) return known
  const connection = new Connection(lease)
  const driver = new LeasingDriver(
    async () => connection,
    () => {},
  )
  const db = new Db(source, WITHIN_TRANSACTION, driver)
  bound.set(lease.client, db)
  return db
}

async function leaseFrom(source: ConnectionSource, lane: Lane): Promise<Lease> {
  try {
    return await source.lease(lane)
  } catch (error) {
    // Without a connection no statement was sent.
    throw new DatabaseUnavailable(error)
  }
}

export type Database = {
  db: Db
  /**
   * Separate connections for batches of rows by key: no burst of requests uses them up, and their
   * statements go by index only. A plan that PostgreSQL made while a table was small would
   * otherwise read all of it, until its next ANALYZE.
   */
  batches: Db
  pool: pg.Pool
  close: () => Promise<void>
}

const BATCH_CONNECTIONS = 4
const PULSE_CONNECTIONS = 1
/** The connections beside those for requests. */
export const OWN_CONNECTIONS = BATCH_CONNECTIONS + PULSE_CONNECTIONS
const BY_INDEX = ['seqscan', 'mergejoin', 'bitmapscan']
  .map((way) => `-c enable_${way}=off`)
  .join(' ')

/**
 * Opens pools to `url` whose statements end after `longest_ms`: `max` connections for requests and
 * OWN_CONNECTIONS more. Nothing connects before the first query.
 */
export function openDatabase(
  url: string,
  max: number,
  longest_ms = STATEMENT_TIMEOUT_MS,
): Database {
  const pools = createPools(url)
  const requests = pools.open({ url, size: max, longest_ms, options: '' })
  const batches = pools.open({ url, size: BATCH_CONNECTIONS, longest_ms, options: BY_INDEX })
  return {
    db: new Db(requests.source, EVERYONE),
    batches: new Db(batches.source, EVERYONE),
    pool: requests.pool,
    close: pools.close,
  }
}

const isDeadlock = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === '40P01' || error.code === '40001')

// Connection exceptions, operator intervention, resources, a statement or a lock over its time.
const OUTAGE_STATES = /^(08|57P|53|57014|25P03|55P03)/
const OUTAGE_SOCKET = /^(ECONN|ENOENT|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND)/
const OUTAGE_MESSAGE = /Connection terminated|does not answer|not queryable|Query read timeout/

function asOutage(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseUnavailable) return error
  const code = 'code' in error ? String(error.code) : ''
  const outage =
    OUTAGE_STATES.test(code) || OUTAGE_SOCKET.test(code) || OUTAGE_MESSAGE.test(error.message)
  return outage ? new DatabaseUnavailable(error) : error
}
