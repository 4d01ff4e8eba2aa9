/**
 * The connections of this process to a server, shared fairly between lanes (a tenant, an API key):
 * a busy lane does not block the others.
 */

import type pg from 'pg'
import { metrics, type Refusal } from '#kit/metrics.ts'
import { ALL_TENANTS, type TenantsSeen } from '../security/tenants_seen.ts'
import type { Preparation } from './cluster.ts'
import type { CopiedTables } from './copied_tables.ts'
import { Hosts, openPool, serversOf } from './hosts.ts'
import { Places, PlacesTaken } from './places.ts'
import { createPulse, type Listen, type Pulse } from './pulse.ts'
import { createSockets } from './sockets.ts'

const CONNECT_TIMEOUT_MS = 2_000
/** The first statements of a connection are slow, so it stays open for a while. */
const IDLE_TIMEOUT_MS = 5 * 60 * 1000
/** How many requests of one lane wait for a connection. */
const QUEUE = 1_000
/** A silent connection is given up so long after the statement's timeout. */
const SILENCE_MS = 500
/** A transaction left open by a bug must not hold locks forever. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 15_000

/** The owner of at most `limit` connections at one time, and whose rows it sees on them. */
export type Lane = { name: string; limit: number; seen: TenantsSeen }

/** A connection on loan. `broken`: it must not be used again. */
export type Lease = {
  client: pg.PoolClient
  /** Whether a group needs `begin` and `commit` to be a transaction: on Citus. */
  explicit: boolean
  /** The tables whose writers line up: none except on a cluster. */
  copied: CopiedTables
  /** The tenant to be stated if the lane states none. */
  unstated: TenantsSeen
  /** To be set in each transaction: how long it waits for a lock at another node, milliseconds. */
  lock_ms?: number
  /** It is not to be used for another loan. */
  spoil: () => void
  release: (broken?: boolean) => void
}

export type ConnectionSource = {
  /** The most connections. */
  size: number
  /**
   * Rejects with the error of the pool or the connection; `elsewhere` is asked instead if the
   * server cannot be reached at all.
   */
  lease: (lane: Lane, elsewhere?: () => Promise<Lease>) => Promise<Lease>
  connections: () => Connections
  /** Whether the server is of a cluster; known once there was a connection. */
  isSpread: () => boolean | undefined
  /** The node of a cluster that has the tenant's rows; undefined if it is the server itself. */
  nodeOf: (tenant_id: string) => Promise<string | undefined>
  /** The nodes of a cluster that are known not to answer. */
  away: () => readonly string[]
  /** The tenants that have their rows at other nodes than those. */
  listReached: (away: readonly string[]) => Promise<readonly string[]>
}

/** `awaited` counts what waits for a connection; there are never more than `most`. */
export type Connections = { idle: number; busy: number; awaited: number; most: number }

export type PoolOptions = {
  size: number
  /** Milliseconds that a statement may take. */
  longest_ms: number
  /** Milliseconds that a request waits for a connection. */
  wait_ms: number
  /** Milliseconds that a statement may wait for a lock; `wait_ms` if undefined. */
  lock_ms?: number
  /** Command-line options of the server's process. */
  options: string
  /**
   * Connections of the owner, which see the rows of all tenants. An option does not reach the other
   * nodes of a cluster, so there each transaction states it.
   */
  asOwner?: boolean
}

export type Server = {
  open: (options: PoolOptions) => { pool: pg.Pool; source: ConnectionSource }
  listen: Listen
  /** Begins to find out whether it answers. */
  watch: () => void
  /** Whether it is known not to answer. */
  isAway: () => boolean
  close: () => Promise<void>
}

/** Called when a server ceases to answer, and when it does again. */
export type OnTurn = (server: string, answers: boolean) => void

/**
 * Pools to one server, or to the one of several that takes writes, with one pulse. Nothing connects
 * before the first lease. `name` is that of the server in the metrics.
 */
export function createServer(
  url: string,
  preparation: Preparation,
  name: string,
  onTurn: OnTurn,
): Server {
  const sockets = createSockets()
  const opened: { pool: pg.Pool; places: Places }[] = []
  const hosts = new Hosts(serversOf(url))
  const pulse = createPulse(hosts, {
    server: name,
    onSilence() {
      const silence = new Error('the database does not answer')
      for (const { places } of opened) places.rejectWaiting(silence)
      sockets.cut()
    },
    onAnswer(now) {
      hosts.keep(now)
      // Remaining connections to another server belong to the earlier primary.
      sockets.cut(now)
    },
    onTurn: (answers) => onTurn(name, answers),
  })
  return {
    open(options) {
      const { prepare } = preparation
      const pool = openPool({ hosts, sockets, prepare }, settingsOf(options))
      // An idle connection that the server closes must not end the process.
      pool.on('error', () => {})
      pool.on('connect', (client) => client.on('error', () => {}))
      const places = new Places({ places: options.size, wait_ms: options.wait_ms, queue: QUEUE })
      opened.push({ pool, places })
      return { pool, source: sourceOf(options, { pool, places, pulse, preparation }) }
    },
    listen: pulse.listen,
    watch: pulse.begin,
    isAway: pulse.isAway,
    async close() {
      await Promise.all([pulse.stop(), ...opened.map(({ pool }) => pool.end())])
    },
  }
}

function settingsOf(settings: PoolOptions) {
  const { size, longest_ms, wait_ms, lock_ms = wait_ms, options } = settings
  return {
    max: size,
    options,
    // Statements that are started together on one connection travel in one round trip.
    pipeline: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    statement_timeout: longest_ms,
    lock_timeout: Math.min(lock_ms, longest_ms),
    query_timeout: longest_ms + SILENCE_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    application_name: 'bezant',
  }
}

type Parts = { pool: pg.Pool; places: Places; pulse: Pulse; preparation: Preparation }

function sourceOf(
  { size, asOwner = false }: PoolOptions,
  { pool, places, pulse, preparation }: Parts,
): ConnectionSource {
  return {
    size,
    async lease({ name, limit }, elsewhere) {
      pulse.use()
      if (pulse.isSilent()) {
        pulse.leave()
        refuse('silent')
        throw new Error('the database does not answer')
      }
      const leavePlace = await places.take(name, limit).catch((error: unknown) => {
        pulse.leave()
        refuse(error instanceof PlacesTaken ? 'no_place' : 'silent')
        throw error
      })
      const leave = () => {
        pulse.leave()
        leavePlace()
      }
      try {
        const client = await pool.connect()
        const explicit = preparation.isExplicit()
        let spoiled = false
        return {
          client,
          explicit,
          copied: preparation.copied(),
          unstated: explicit && asOwner ? ALL_TENANTS : null,
          spoil() {
            spoiled = true
          },
          release(broken = false) {
            client.release(broken || spoiled)
            leave()
          },
        }
      } catch (error) {
        leave()
        if (elsewhere) return elsewhere()
        refuse('unreachable')
        throw error
      }
    },
    connections() {
      const { totalCount, idleCount } = pool
      const counts = { idle: idleCount, busy: totalCount - idleCount, awaited: places.waiting() }
      return { ...counts, most: size }
    },
    isSpread: preparation.isSpread,
    nodeOf: async () => undefined,
    away: () => [],
    listReached: async () => [],
  }
}

const refuse = (reason: Refusal): void => metrics.poolRefusals.inc({ reason })
