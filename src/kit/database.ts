/**
 * PostgreSQL behind Kysely: named statements, pipelined transactions, one class of outage error.
 */

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
import type { Database as Tables } from './tables.ts'

const STATEMENT_TIMEOUT_MS = 10_000
/** A server that has stopped ends no statement by itself; then the connection is given up. */
const SILENCE_MS = 500
const CONNECT_TIMEOUT_MS = 2_000
/** A transaction left open by a bug must not hold locks for ever. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 15_000
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
 * COMMIT was sent and its answer never came: the transaction is either wholly kept or not at all,
 * and only the database can say which. Over HTTP it is a 503 like any outage, since a repeat under
 * the same idempotency key is safe. Who must answer with certainty first waits for the end of
 * transaction (kit/commit_doubt.ts) and then looks for the rows that it should have written.
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
  readonly client: pg.PoolClient
  constructor(client: pg.PoolClient) {
    this.client = client
  }
  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const name = statementName(sql)
    const query = { text: sql, values: [...parameters], ...(name !== undefined && { name }) }
    try {
      const { rows, rowCount } = await this.client.query(query)
      return { rows, numAffectedRows: BigInt(rowCount ?? 0) }
    } catch (error) {
      throw asOutage(error)
    }
  }
  // biome-ignore lint/correctness/useYield: the interface asks for it and nothing here streams.
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('streaming is not supported')
  }
}

/** Hands out connections without Kysely's queue, so that statements of one transaction pipeline. */
class PoolDriver implements Driver {
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
  beginTransaction = refuseTransaction
  commitTransaction = refuseTransaction
  rollbackTransaction = refuseTransaction
  async destroy(): Promise<void> {}
}

async function refuseTransaction(): Promise<void> {
  throw new Error('transactions are opened by transact() of kit/context.ts')
}

/** The query builder over the pool, or over the one connection of a transaction. */
export class Db extends Kysely<Tables> {
  readonly #pool: pg.Pool
  constructor(pool: pg.Pool, driver: Driver) {
    super({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => driver,
        createIntrospector: (db) => new PostgresIntrospector(db),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
    })
    this.#pool = pool
  }

  /** The connections of this process, for its metrics. */
  connections(): { idle: number; busy: number; awaited: number } {
    const { totalCount, idleCount, waitingCount } = this.#pool
    return { idle: idleCount, busy: totalCount - idleCount, awaited: waitingCount }
  }

  /**
   * Runs `work` in one transaction: all of it is kept or none. A deadlock, which PostgreSQL breaks
   * by ending one side, is tried again from the start; `work` must therefore do nothing outside.
   * Statements that `work` starts together travel together (pipelining), BEGIN with the first.
   */
  async runTransaction<Result>(work: (db: Db) => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(work)
      } catch (error) {
        if (!isDeadlock(error) || attempt === DEADLOCK_RETRIES) throw error
      }
    }
  }

  async #attempt<Result>(work: (db: Db) => Promise<Result>): Promise<Result> {
    const client = await connect(this.#pool)
    let broken = false
    let committing = false
    try {
      const begun = client.query('begin')
      begun.catch(() => {})
      const result = await work(boundTo(this.#pool, client))
      await begun
      // COMMIT after a failed statement succeeds as ROLLBACK; only its own word counts.
      committing = true
      const { command } = await client.query('commit')
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
      client.release(broken)
    }
  }
}

const bound = new WeakMap<pg.PoolClient, Db>()

function boundTo(pool: pg.Pool, client: pg.PoolClient): Db {
  const known = bound.get(client)
  if (known) return known
  const connection = new Connection(client)
  const db = new Db(
    pool,
    new PoolDriver(
      async () => connection,
      () => {},
    ),
  )
  bound.set(client, db)
  return db
}

async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    throw asOutage(error)
  }
}

export type Database = {
  db: Db
  /**
   * Connections of their own for batches of rows that are all named by key: no burst of requests
   * takes them away, and their statements go by index only. A plan that PostgreSQL made while a
   * table was small would otherwise read all of it, until its statistics are next taken.
   */
  batches: Db
  pool: pg.Pool
  close: () => Promise<void>
}

const BATCH_CONNECTIONS = 4
const BY_INDEX = ['seqscan', 'mergejoin', 'bitmapscan']
  .map((way) => `-c enable_${way}=off`)
  .join(' ')

/**
 * Opens pools to `url`, of at most `max` connections, whose statements end after `longest_ms`.
 * Nothing connects before the first query.
 */
export function openDatabase(
  url: string,
  max: number,
  longest_ms = STATEMENT_TIMEOUT_MS,
): Database {
  const pool = openPool(url, { max, longest_ms, options: '' })
  const batchPool = openPool(url, { max: BATCH_CONNECTIONS, longest_ms, options: BY_INDEX })
  return {
    db: dbOf(pool),
    batches: dbOf(batchPool),
    pool,
    close: async () => {
      await Promise.all([pool.end(), batchPool.end()])
    },
  }
}

type PoolOptions = { max: number; longest_ms: number; options: string }

function openPool(url: string, { max, longest_ms, options }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    options,
    // Statements that are started together on one connection travel in one round trip.
    pipeline: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: longest_ms,
    query_timeout: longest_ms + SILENCE_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    application_name: 'bezant',
  } as pg.PoolConfig)
  // An idle connection that the server closes must not end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

function dbOf(pool: pg.Pool): Db {
  const driver = new PoolDriver(
    async () => new Connection(await connect(pool)),
    ({ client }) => client.release(),
  )
  return new Db(pool, driver)
}

const isDeadlock = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === '40P01' || error.code === '40001')

// Connection exceptions, operator intervention, resources, and a statement over its time.
const OUTAGE_STATES = /^(08|57P|53|57014|25P03)/
const OUTAGE_SOCKET = /^(ECONN|ENOENT|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND)/
const OUTAGE_MESSAGE =
  /Connection terminated|timeout exceeded when trying to connect|not queryable|Query read timeout/

function asOutage(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseUnavailable) return error
  const code = 'code' in error ? String(error.code) : ''
  const outage =
    OUTAGE_STATES.test(code) || OUTAGE_SOCKET.test(code) || OUTAGE_MESSAGE.test(error.message)
  return outage ? new DatabaseUnavailable(error) : error
}
