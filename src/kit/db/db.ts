/** PostgreSQL behind Kysely: named statements, pipelined transactions, lanes of tenants. */

import { setTimeout as pause } from 'node:timers/promises'
import { Kysely } from 'kysely'
import type pg from 'pg'
import { codeOf } from '#kit/start_error.ts'
import { isConflict } from './conflict.ts'
import { type Bound, bindLine, bindSession, bindTransaction } from './connections/bound.ts'
import {
  type Connection,
  LeasingDriver,
  leaseFrom,
  leasingDriver,
  openTransaction,
} from './connections/connection.ts'
import { propsOf } from './connections/execution.ts'
import { Line } from './connections/line.ts'
import {
  asOutage,
  CommitInDoubt,
  DatabaseUnavailable,
  isRefusedCommit,
} from './connections/outage.ts'
import type { ConnectionSource, Connections, Lane, Lease } from './connections/pool.ts'
import { isOutdated } from './connections/statement_group.ts'
import { ALL_TENANTS, type TenantsSeen } from './security/tenants_seen.ts'
import type { Database as Tables } from './tables.ts'
import type { Write, Written } from './write.ts'

/** Connections with which the callers of one key are found at one time. */
const CALLER_PLACES = 2
/** The most lanes with a cached query builder. */
const LANES_KEPT = 2_000
/** Work of no tenant: keys, clocks, pages that do not know theirs yet. It sees no tenant's rows. */
export const EVERYONE: Lane = { name: '', limit: Number.POSITIVE_INFINITY, seen: null }
/** Its transaction or session states whose rows it sees. */
const BOUND: Lane = { name: 'bound', limit: 1, seen: null }
const ATTEMPTS = 3
/** The rest of an idle pulse, and the longest silence that it bears. */
const LONGEST_VERDICT_MS = 4_000
const VERDICT_MS = 100

/**
 * Sends a write together with the COMMIT. Answers the written rows, once the transaction was
 * committed.
 */
export type WithCommit = (write: Write) => Promise<readonly Written[]>

type Work<Result> = (db: Db, withCommit: WithCommit) => Promise<Result>

/** The query builder over the pool, or over the one connection of a transaction. */
export class Db extends Kysely<Tables> {
  readonly #source: ConnectionSource
  readonly #lane: Lane
  readonly #lanes = new Map<string, Db>()
  readonly #everyone: Db | undefined
  readonly #only: Connection | undefined
  /** Writes that were made here; a transaction that leaves one does not commit. */
  readonly unstarted = new Set<Write>()
  /** Answers of writes that travel with the COMMIT of this transaction. */
  readonly withCommit: Promise<unknown>[] = []
  /** The database from which the lanes are made. */
  #root: Db = this

  /** `everyone` is, within a transaction, the same over all tenants. */
  constructor(
    source: ConnectionSource,
    lane: Lane,
    driver: LeasingDriver = leasingDriver(source, lane),
    everyone?: Db,
  ) {
    super(propsOf(driver))
    this.#source = source
    this.#lane = lane
    this.#everyone = everyone
    this.#only = driver.only
  }

  /** The connections of this process, for its metrics. */
  connections(): Connections {
    return this.#source.connections()
  }

  /** Whether tenants have nodes of a cluster, of which a statement of theirs reaches one. */
  async isSpread(): Promise<boolean> {
    const known = this.#source.isSpread()
    if (known !== undefined) return known
    const lease = await leaseFrom(this.#source, this.#lane)
    lease.release()
    return lease.explicit
  }

  /**
   * The tenants whose node answers, if a node of a cluster is known not to: a statement over all
   * tenants has to name them then. Undefined if all answer. Nodes may be named.
   */
  async listReached(away = this.#source.away()): Promise<readonly string[] | undefined> {
    return away.length === 0 ? undefined : this.#source.listReached(away)
  }

  /** The node of a cluster that has the tenant's rows, if it is not the server of the address. */
  nodeOf(tenant_id: string): Promise<string | undefined> {
    return this.#source.nodeOf(tenant_id)
  }

  /** Whether the node of the tenant is known not to answer. */
  async isAway(tenant_id: string): Promise<boolean> {
    const away = this.#source.away()
    if (away.length === 0) return false
    return away.includes((await this.#source.nodeOf(tenant_id)) ?? '')
  }

  /** Whether a node of a cluster is known not to answer. */
  isNodeAway(): boolean {
    return this.#source.away().length > 0
  }

  /**
   * Whether an error is the outage of a node of a cluster, which its pulse finds out at the latest
   * after LONGEST_VERDICT_MS. The work that met the error waits for the node then.
   */
  async isOfNode(error: unknown): Promise<boolean> {
    if (!(asOutage(error) instanceof DatabaseUnavailable)) return false
    if (this.#source.isSpread() !== true) return false
    const end = performance.now() + LONGEST_VERDICT_MS
    while (this.#source.away().length === 0 && performance.now() < end) await pause(VERDICT_MS)
    return this.#source.away().length > 0
  }

  /** The same database for one tenant, which gets at most half of the connections. */
  forTenant(tenant_id: string): Db {
    return this.#inLane({ name: tenant_id, limit: this.#half(), seen: tenant_id })
  }

  /**
   * The lane that finds the caller of a key: it sees the rows of all tenants before the tenant is
   * known, then those of the tenant.
   */
  forCaller(key_hash: Buffer, tenant_id: TenantsSeen = ALL_TENANTS): Db {
    const name = `${key_hash.toString('base64')} ${tenant_id}`
    return this.#inLane({ name, limit: CALLER_PLACES, seen: tenant_id })
  }

  /** The lane of the operator's requests, which may be about any tenant. */
  forOperator(): Db {
    return this.#inLane({ name: 'operator', limit: this.#half(), seen: ALL_TENANTS })
  }

  /**
   * The rows of all tenants, for work that looks for the tenant that it is about. Few may ask for
   * it: a test lists them (D-505).
   */
  overAllTenants(): Db {
    return this.#everyone ?? this.#inLane({ ...EVERYONE, seen: ALL_TENANTS })
  }

  /** Outside of lanes, on the server of the address: for notifications to all processes. */
  atEntry(): Db {
    return this.#root
  }

  /**
   * Within a transaction: resolves when all statements have been answered and no code that waited
   * for them starts another.
   */
  async quiet(): Promise<void> {
    await this.#only?.quiet()
  }

  #half(): number {
    return Math.ceil(this.#source.size / 2)
  }

  #inLane(lane: Lane): Db {
    if (this.#lane !== EVERYONE) return this
    const known = this.#lanes.get(lane.name)
    if (known) return known
    if (this.#lanes.size >= LANES_KEPT) this.#lanes.clear()
    const db = new Db(this.#source, lane)
    db.#root = this
    this.#lanes.set(lane.name, db)
    return db
  }

  /**
   * Runs `work` in one transaction. It runs again from the start after a deadlock, if a row that it
   * rests on has changed (conflict.ts), and if a newer program has changed columns; `work` must
   * therefore have no other effects. Statements that `work` starts together are sent together
   * (pipelining), BEGIN with the first. Writes given to `withCommit` travel with the COMMIT, which
   * has no effect if such a statement fails, and is not sent before every statement that was
   * started has been handed to the connection.
   *
   * A row that is locked changes on a cluster only: a shard that moves leaves its locks behind.
   */
  async runTransaction<Result>(work: Work<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(work)
      } catch (error) {
        if (error instanceof CommitInDoubt || attempt === ATTEMPTS) throw error
        const passes = isDeadlock(error) || isOutdated(error) || isConflict(error)
        if (!passes) throw error
      }
    }
  }

  /**
   * Lends one connection for reads. Statements that are started together are sent together; if one
   * fails, those behind it do. If a newer program has changed columns meanwhile, `work` runs again
   * from the start.
   */
  async runSession<Result>(work: (db: Db) => Promise<Result>): Promise<Result> {
    try {
      return await this.#lend(work)
    } catch (error) {
      if (!isOutdated(error)) throw error
      return this.#lend(work)
    }
  }

  async #lend<Result>(work: (db: Db) => Promise<Result>): Promise<Result> {
    const lease = await leaseFrom(this.#source, this.#lane)
    const { session } = boundTo(this.#source, lease)
    try {
      session.begin(lease, this.#lane.seen)
      return await work(session.db)
    } catch (error) {
      throw asOutage(error)
    } finally {
      session.end()
      lease.release()
    }
  }

  /** A connection for transactions that are sent one after another; to be released. */
  async openLine(): Promise<Line<Db>> {
    const lease = await leaseFrom(this.#source, this.#lane)
    return new Line(lease, boundTo(this.#source, lease).line, this.#lane.seen)
  }

  async #attempt<Result>(work: Work<Result>): Promise<Result> {
    const lease = await leaseFrom(this.#source, this.#lane)
    const { client } = lease
    const { transaction } = boundTo(this.#source, lease)
    let [broken, inDoubt] = [false, false]
    try {
      transaction.begin(lease, this.#lane.seen)
      transaction.db.unstarted.clear()
      const last = transaction.db.withCommit
      last.length = 0
      const begun = openTransaction(lease, this.#lane.seen)
      begun.catch(() => {})
      const result = await work(transaction.db, (write) => {
        const written = write.start()
        written.catch(() => {})
        last.push(written)
        return written
      })
      await begun
      // Statements that were just started are sent before the COMMIT.
      void transaction.send()
      transaction.assertWhole()
      if (transaction.db.unstarted.size > 0) throw new Error('a write was made and not started')
      // COMMIT after a failed statement succeeds as ROLLBACK; only the command tag shows it.
      const [end, ...writes] = await Promise.allSettled([client.query('commit'), ...last])
      if (end.status === 'rejected') {
        inDoubt = !isRefusedCommit(end.reason)
        throw end.reason
      }
      const { command } = end.value
      // After the tag COMMIT the writes are committed, whatever fails below.
      inDoubt = command === 'COMMIT'
      const failed = writes.find((write) => write.status === 'rejected')
      if (failed) throw failed.reason
      if (!inDoubt) throw new Error(`the transaction ended with ${command}`)
      return result
    } catch (error) {
      // Nothing of it may be sent behind its end, where it would be a transaction of its own.
      transaction.end()
      await client.query('rollback').catch(() => {
        broken = true
      })
      throw inDoubt ? new CommitInDoubt(error) : asOutage(error)
    } finally {
      transaction.end()
      lease.release(broken)
    }
  }
}

const bound = new WeakMap<pg.PoolClient, Bound<Db>>()

/** There is one connection, whichever lane its work belongs to. */
function boundTo(source: ConnectionSource, { client }: Lease): Bound<Db> {
  const over = (connection: Connection, everyone?: Db) =>
    new Db(source, BOUND, LeasingDriver.over(connection), everyone)
  const known = bound.get(client) ?? {
    transaction: bindTransaction(over),
    session: bindSession(over),
    line: bindLine(over),
  }
  bound.set(client, known)
  return known
}

const isDeadlock = (error: unknown): boolean =>
  codeOf(error) === '40P01' || codeOf(error) === '40001'
