/**
 * The pools of a database. PostgreSQL is one server. On a cluster each node that has rows of
 * tenants gets pools of its own when it is first needed, and a tenant's work goes to its node.
 */

import { isId } from '#lib/id.ts'
import { createPreparation, type Preparation } from './cluster.ts'
import { serversOf } from './hosts.ts'
import { type Node, Nodes, nameOf, urlOf } from './nodes.ts'
import {
  type ConnectionSource,
  type Connections,
  createServer,
  type Lane,
  type Lease,
  type OnTurn,
  type PoolOptions,
  type Server,
} from './pool.ts'
import type { Listen } from './pulse.ts'

/** The server of the address, in the metrics. */
const MAIN = 'main'

export type Pools = {
  open: (options: PoolOptions) => Opened
  listen: Listen
  close: () => Promise<void>
}

export type Opened = ReturnType<Server['open']> & {
  /** A source for each node of a cluster but the server of the address, by the node's name. */
  ofNodes: () => Promise<{ name: string; source: ConnectionSource }[]>
}

/**
 * Nothing connects before the first lease. Whether the server is of a cluster is asked then, unless
 * `explicit` says how groups are sent.
 */
export function createPools(url: string, explicit?: boolean, onTurn: OnTurn = () => {}): Pools {
  const preparation = createPreparation(explicit)
  const entry = createServer(url, preparation, MAIN, () => {})
  const [first] = serversOf(url).urls
  const others = new Map<string, Server>()
  const serverOf = (node: NonNullable<Node>): Server => {
    const known =
      others.get(nameOf(node)) ??
      createServer(urlOf(first, node), preparation, nameOf(node), onTurn)
    others.set(nameOf(node), known)
    return known
  }
  let nodes: Nodes | undefined
  return {
    open(options) {
      const opened = entry.open(options)
      nodes ??= new Nodes(async (text, values) => (await opened.pool.query(text, [...values])).rows)
      const known = nodes
      const away = () => {
        if (!preparation.isExplicit()) return []
        const servers = known.withShards().map((node) => ({ node, server: serverOf(node) }))
        for (const { server } of servers) server.watch()
        return servers.flatMap(({ node, server }) => (server.isAway() ? [node] : []))
      }
      return route(options, opened, { nodes, serverOf, away, preparation })
    },
    // Listens at the entry, since a notification stays on the node that it is sent on.
    listen: entry.listen,
    async close() {
      await Promise.all([entry, ...others.values()].map((server) => server.close()))
    },
  }
}

type Cluster = {
  nodes: Nodes
  serverOf: (node: NonNullable<Node>) => Server
  away: () => readonly NonNullable<Node>[]
  preparation: Preparation
}

function route(
  options: PoolOptions,
  { pool, source: own }: ReturnType<Server['open']>,
  { nodes, serverOf, away, preparation }: Cluster,
): Opened {
  const sources = new Map<string, ConnectionSource>()
  const sourceOn = (node: NonNullable<Node>): ConnectionSource => {
    const known = sources.get(nameOf(node)) ?? serverOf(node).open(options).source
    sources.set(nameOf(node), known)
    return known
  }
  /** A setting of the connection stays at the entry: each transaction has to pass it on. */
  const leaseOwn = async (lane: Lane): Promise<Lease> => {
    const lease = await own.lease(lane)
    const { lock_ms } = options
    return preparation.isExplicit() && lock_ms !== undefined ? { ...lease, lock_ms } : lease
  }
  const source: ConnectionSource = {
    size: options.size,
    async lease(lane) {
      const { seen } = lane
      // The first connection shows the kind of server; until then any place serves.
      if (!preparation.isExplicit() || seen === null || !isId(seen)) return leaseOwn(lane)
      const node = await nodes.of(seen)
      if (node === null) return leaseOwn(lane)
      return sourceOn(node).lease(lane, () => {
        nodes.avoid(node)
        return leaseOwn(lane)
      })
    },
    connections: () => sumOf([own, ...sources.values()]),
    isSpread: own.isSpread,
    async nodeOf(tenant_id) {
      const node = preparation.isExplicit() ? await nodes.withRowsOf(tenant_id) : null
      return node === null ? undefined : nameOf(node)
    },
    away: () => away().map(nameOf),
    listReached: (unreached) => nodes.listTenants(unreached),
  }
  const ofNodes = async () =>
    preparation.isExplicit()
      ? (await nodes.list()).map((node) => ({ name: nameOf(node), source: sourceOn(node) }))
      : []
  return { pool, source, ofNodes }
}

function sumOf(sources: readonly ConnectionSource[]): Connections {
  const all = sources.map((source) => source.connections())
  const sum = (name: keyof Connections) => all.reduce((of, one) => of + one[name], 0)
  return { idle: sum('idle'), busy: sum('busy'), awaited: sum('awaited'), most: sum('most') }
}
