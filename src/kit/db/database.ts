/**
 * PostgreSQL behind Kysely: named statements, pipelined transactions, one class of outage error.
 */

import {
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import pg from 'pg'
import { codeOf } from '#kit/start_error.ts'
import { microtasks } from '#lib/promises.ts'
import { Connection, LeasingDriver } from './connection.ts'
import { Line } from './line.ts'
import { asOutage, CommitInDoubt, DatabaseUnavailable } from './outage.ts'
import { type ConnectionSource, createPools, type Lane, type Lease } from './pool.ts'
import type { Listen } from './pulse.ts'
import type { Database as Tables } from './tables.ts'

export { CommitInDoubt, DatabaseUnavailable } from './outage.ts'

const STATEMENT_TIMEOUT_MS = 10_000
/** Connections with which the callers of one key are found at one time. */
const CALLER_PLACES = 2
/** The most lanes with a cached query builder. */
const LANES_KEPT = 2_000
/** Work of no tenant: sweeps that look for work, keys, pages that do not know theirs yet. */
const EVERYONE: Lane = { name: '', limit: Number.POSITIVE_INFINITY }
const WITHIN_TRANSACTION: Lane = { name: 'transaction', limit: 1 }
const DEADLOCK_RETRIES = 3

// Dates stay text (the driver's default is local midnight); int8 is exact; timestamps are Dates.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)
pg.types.setTypeParser(pg.types.builtins.INT8, BigInt)

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

  /** Lends one connection for reads that are sent together, each a transaction of its own. */
  async runSession<Result>(work: (db: Db) => Promise<Result>): Promise<Result> {
    const lease = await leaseFrom(this.#source, this.#lane)
    try {
      return await work(boundTo(this.#source, lease).db)
    } finally {
      lease.release()
    }
  }

  /** A connection for transactions that are sent one after another; to be released. */
  async openLine(): Promise<Line<Db>> {
    const lease = await leaseFrom(this.#source, this.#lane)
    return new Line(lease, boundTo(this.#source, lease).db)
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
      const result = await work(boundTo(this.#source, lease).db, (write) => {
        write.catch(() => {})
        last.push(write)
      })
      await begun
      // What was just started is sent before the COMMIT.
      if (last.length > 0) await microtasks()
      // COMMIT after a failed statement succeeds as ROLLBACK; only the command tag shows it.
      committing = true
      const [end, ...writes] = await Promise.allSettled([client.query('commit'), ...last])
      if (end.status === 'rejected') throw end.reason
      // The server has rolled back: that is no outcome in doubt.
      committing = end.value.command === 'COMMIT'
      const failed = writes.find((write) => write.status === 'rejected')
      if (failed) throw failed.reason
      if (!committing) throw new Error(`the transaction ended with ${end.value.command}`)
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

type Bound = { db: Db; connection: Connection }
const bound = new WeakMap<pg.PoolClient, Bound>()

/** Within a transaction there is one connection, whichever lane its work belongs to. */
function boundTo(source: ConnectionSource, lease: Lease): Bound {
  const known = bound.get(lease.client)
  if (known) {
    known.connection.lease = lease
    known.connection.failure = undefined
    return known
  }
  const connection = new Connection(lease)
  const driver = new LeasingDriver(
    async () => connection,
    () => {},
  )
  const made = { db: new Db(source, WITHIN_TRANSACTION, driver), connection }
  bound.set(lease.client, made)
  return made
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
  listen: Listen
  close: () => Promise<void>
}

const BATCH_CONNECTIONS = 4
const PULSE_CONNECTIONS = 1
/** A batch that meets a locked row is decided again without it. */
const BATCH_LOCK_MS = 25
/** The connections beside those for requests. */
export const OWN_CONNECTIONS = BATCH_CONNECTIONS + PULSE_CONNECTIONS
/**
 * Without sorts too: a statement that asks for one row by a key orders by that key, so that no
 * other index can serve it. A plan with a way that is off seems costly enough to be compiled (JIT).
 */
const BY_INDEX = ['seqscan', 'bitmapscan', 'mergejoin', 'hashjoin', 'material', 'sort']
  .map((way) => `enable_${way}=off`)
  .concat('plan_cache_mode=force_generic_plan', 'random_page_cost=1.1', 'jit=off')
  .map((setting) => `-c ${setting}`)
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
  const batches = pools.open({
    url,
    size: BATCH_CONNECTIONS,
    longest_ms,
    lock_ms: BATCH_LOCK_MS,
    options: BY_INDEX,
  })
  return {
    db: new Db(requests.source, EVERYONE),
    batches: new Db(batches.source, EVERYONE),
    pool: requests.pool,
    listen: pools.listen,
    close: pools.close,
  }
}

const isDeadlock = (error: unknown): boolean =>
  codeOf(error) === '40P01' || codeOf(error) === '40001'
