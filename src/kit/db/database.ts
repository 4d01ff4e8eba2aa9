/** The pools of the program to its database, and how their connections are set. */

import pg from 'pg'
import { BY_INDEX } from './connections/by_index.ts'
import type { OnTurn } from './connections/pool.ts'
import { createPools, type Opened } from './connections/pools.ts'
import type { Listen } from './connections/pulse.ts'
import { Db, EVERYONE } from './db.ts'
import { asRole } from './security/program_role.ts'
import { ALL_TENANTS, TENANT_SETTING } from './security/tenants_seen.ts'

export { CommitInDoubt, DatabaseUnavailable } from './connections/outage.ts'
export { Db } from './db.ts'

const STATEMENT_TIMEOUT_MS = 10_000

// Dates stay text (the driver's default is local midnight); int8 is exact; timestamps are Dates.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)
pg.types.setTypeParser(pg.types.builtins.INT8, BigInt)

/** A server that takes transactions: as the program's role, and as the owner of the tables. */
export type Entry = { name: string; db: Db; owner: Db }

export type Database = {
  db: Db
  /**
   * Separate connections for batches of rows by key: no burst of requests uses them up, and their
   * statements go by index only. A plan that PostgreSQL made while a table was small would
   * otherwise read all of it, until its next ANALYZE.
   */
  batches: Db
  /** Connections of the user of the address, who owns the tables, over all tenants. */
  owner: Db
  /** The connections of `owner`. */
  pool: pg.Pool
  /** Each server that takes transactions, that of the address first. PostgreSQL is one. */
  entries: () => Promise<Entry[]>
  listen: Listen
  close: () => Promise<void>
}

const WAIT_MS = 2_000
const BATCH_CONNECTIONS = 4
const PULSE_CONNECTIONS = 1
/** A batch that meets a locked row is decided again without it. */
const BATCH_LOCK_MS = 25
/** One migrates and makes partitions. */
const OWNER_CONNECTIONS = 1
/** The connections beside those for requests. */
export const OWN_CONNECTIONS = BATCH_CONNECTIONS + PULSE_CONNECTIONS + OWNER_CONNECTIONS
const AS_OWNER = `-c ${TENANT_SETTING}=${ALL_TENANTS}`

/**
 * The program's own database names its role (D-506), whose connections see the rows of the tenant
 * that their transaction states. Without a role all connections are the owner's. A statement ends
 * after `longest_ms`. A request waits at most `wait_ms` for a connection, and as long for a locked
 * row: longer makes a 503, not a queue. `explicit`, whether a group has `begin` and `commit`,
 * follows from the kind of server if it is not given. `onTurn` is called when a node of a cluster
 * ceases to answer, and when it does again.
 */
type DatabaseOptions = {
  role?: string
  longest_ms?: number
  wait_ms?: number
  explicit?: boolean
  onTurn?: OnTurn
}

/**
 * Opens pools to `url`: `max` connections for requests and OWN_CONNECTIONS more, at first queries.
 */
export function openDatabase(
  url: string,
  max: number,
  {
    role,
    longest_ms = STATEMENT_TIMEOUT_MS,
    wait_ms = WAIT_MS,
    explicit,
    onTurn,
  }: DatabaseOptions = {},
): Database {
  const pools = createPools(url, explicit, onTurn)
  const ofOwner = { options: AS_OWNER, asOwner: true }
  const usual = {
    longest_ms,
    wait_ms,
    ...(role === undefined ? ofOwner : { options: asRole(role) }),
  }
  const requests = pools.open({ ...usual, size: max })
  const batches = pools.open({
    ...usual,
    size: BATCH_CONNECTIONS,
    lock_ms: BATCH_LOCK_MS,
    options: `${usual.options} ${BY_INDEX}`,
  })
  const owner =
    role === undefined ? requests : pools.open({ ...usual, ...ofOwner, size: OWNER_CONNECTIONS })
  const db = new Db(requests.source, EVERYONE)
  return {
    db,
    batches: new Db(batches.source, EVERYONE),
    owner: new Db(owner.source, EVERYONE),
    pool: owner.pool,
    entries: () => entriesOf(requests, owner),
    listen: pools.listen,
    close: pools.close,
  }
}

async function entriesOf(requests: Opened, owner: Opened): Promise<Entry[]> {
  const dbOf = ({ source }: Pick<Opened, 'source'>) => new Db(source, EVERYONE)
  const [ofProgram, ofOwner] = await Promise.all([requests.ofNodes(), owner.ofNodes()])
  const others = ofProgram.flatMap((one) => {
    const same = ofOwner.find(({ name }) => name === one.name)
    return same ? [{ name: one.name, db: dbOf(one), owner: dbOf(same) }] : []
  })
  return [{ name: 'the database', db: dbOf(requests), owner: dbOf(owner) }, ...others]
}
