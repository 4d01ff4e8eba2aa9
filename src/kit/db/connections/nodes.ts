/**
 * Which node of a cluster (Citus) has the rows of a tenant, so that its statements are sent there.
 * The shard of a tenant is asked for once. Which node has a shard is asked for every few seconds,
 * of all shards at once, while tenants are at work. An answer that is out of date is slow, not
 * wrong: each node knows where rows are, and passes statements on.
 */

/** The address of a node as the cluster knows it; null is the server that was asked. */
export type Node = { host: string; port: number } | null

/** Runs a statement on the server of DATABASE_URL. */
export type Ask = <Row>(text: string, values: readonly unknown[]) => Promise<Row[]>

/** A table of the kit that is spread with all others of a tenant. */
const TABLE = 'feeds'

const SHARD_OF = `select get_shard_id_for_distribution_column('${TABLE}', $1::uuid)::text as shard`
const NODES_OF_SHARDS = `
  select s.shardid::text as shard, n.nodeport as port,
    case when n.groupid <> own.groupid then n.nodename end as host
  from pg_dist_shard s join pg_dist_placement p using (shardid)
    join pg_dist_node n using (groupid) cross join pg_dist_local_group own
  where s.logicalrelid = '${TABLE}'::regclass and n.noderole = 'primary' and n.isactive`

/** Also those without shards: the coordinator, and a worker that was just added. */
const OTHERS = `
  select n.nodename as host, n.nodeport as port
  from pg_dist_node n cross join pg_dist_local_group own
  where n.groupid <> own.groupid and n.noderole = 'primary' and n.isactive
  order by n.nodename, n.nodeport`

/** The operator's rows are those of this tenant. */
const OPERATOR = '00000000-0000-0000-0000-000000000000'
const TENANTS_OF_SHARDS = `
  select t.id from (select id from tenants union all select '${OPERATOR}') t
  where get_shard_id_for_distribution_column('${TABLE}', t.id) = any ($1::bigint[])
  order by t.id`

/** The lifetime of known shards, and the time for which an unreachable node is left alone. */
const KNOWN_MS = 5_000
/** The most tenants whose shard is kept. */
const TENANTS_KEPT = 100_000

type Reached = { of: string; tenants: readonly string[]; until: number }
type Placed = { shard: string; host: string | null; port: number }

export class Nodes {
  readonly #ask: Ask
  readonly #shards = new Map<string, string>()
  #places: { nodes: ReadonlyMap<string, Node>; until: number } | undefined
  #looking: Promise<ReadonlyMap<string, Node>> | undefined
  readonly #avoided = new Map<string, number>()
  #reached: Reached | undefined

  constructor(ask: Ask) {
    this.#ask = ask
  }

  /** The node of a tenant. Null also if that cannot be said: any node takes its statements. */
  async of(tenant_id: string): Promise<Node> {
    const node = await this.withRowsOf(tenant_id)
    return node && this.#isAvoided(node) ? null : node
  }

  /** The same, also if it could not be reached. */
  async withRowsOf(tenant_id: string): Promise<Node> {
    const nodes = this.#known() ?? (await this.#look())
    const known = this.#shards.get(tenant_id)
    // A shard that has been split is there no more.
    const shard = known !== undefined && nodes.has(known) ? known : await this.#shardOf(tenant_id)
    return (shard !== undefined && nodes.get(shard)) || null
  }

  /** The tenants, with that of the operator, whose rows are not at these nodes. */
  async listTenants(away: readonly string[]): Promise<readonly string[]> {
    const of = [...away].sort().join()
    if (this.#reached?.of === of && performance.now() < this.#reached.until) {
      return this.#reached.tenants
    }
    const shards = [...(await this.#look())].flatMap(([shard, node]) =>
      node !== null && away.includes(nameOf(node)) ? [] : [shard],
    )
    const rows = await this.#ask<{ id: string }>(TENANTS_OF_SHARDS, [shards])
    const tenants = rows.map(({ id }) => id)
    this.#reached = { of, tenants, until: performance.now() + KNOWN_MS }
    return tenants
  }

  /** All nodes of the cluster but the server that was asked. */
  list(): Promise<NonNullable<Node>[]> {
    return this.#ask<NonNullable<Node>>(OTHERS, [])
  }

  /** The nodes that are known to have rows of tenants, but the server that was asked. */
  withShards(): NonNullable<Node>[] {
    const known = this.#known()
    if (!known) void this.#look()
    const nodes = [...(known?.values() ?? [])]
    const distinct = new Map(nodes.flatMap((node) => (node ? [[nameOf(node), node]] : [])))
    return [...distinct.values()]
  }

  /** It could not be reached: for a while its tenants go by the server of DATABASE_URL. */
  avoid(node: NonNullable<Node>): void {
    this.#avoided.set(nameOf(node), performance.now() + KNOWN_MS)
  }

  #isAvoided(node: NonNullable<Node>): boolean {
    const until = this.#avoided.get(nameOf(node))
    if (until === undefined) return false
    if (performance.now() < until) return true
    this.#avoided.delete(nameOf(node))
    return false
  }

  /** An outdated answer still serves while it is looked up anew. */
  #known(): ReadonlyMap<string, Node> | undefined {
    if (this.#places && performance.now() >= this.#places.until) void this.#look()
    return this.#places?.nodes
  }

  #look(): Promise<ReadonlyMap<string, Node>> {
    this.#looking ??= this.#lookUp().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  /** If it fails, the known nodes stay; no node is known of a table that is on one server. */
  async #lookUp(): Promise<ReadonlyMap<string, Node>> {
    const placed = await this.#ask<Placed>(NODES_OF_SHARDS, []).catch(() => undefined)
    const nodes = placed
      ? new Map(
          placed.map(({ shard, host, port }) => [shard, host === null ? null : { host, port }]),
        )
      : (this.#places?.nodes ?? new Map<string, Node>())
    this.#places = { nodes, until: performance.now() + KNOWN_MS }
    return nodes
  }

  async #shardOf(tenant_id: string): Promise<string | undefined> {
    if (this.#places?.nodes.size === 0) return undefined
    const rows = await this.#ask<{ shard: string }>(SHARD_OF, [tenant_id]).catch(() => [])
    const shard = rows[0]?.shard
    if (shard === undefined) return undefined
    if (this.#shards.size >= TENANTS_KEPT) this.#shards.clear()
    this.#shards.set(tenant_id, shard)
    return shard
  }
}

export const nameOf = ({ host, port }: NonNullable<Node>): string => `${host}:${port}`

/** The same database with the same user on a node. */
export function urlOf(url: string, { host, port }: NonNullable<Node>): string {
  // A user without a host (a socket's folder is a parameter then) is no URL to the parser.
  const own = new URL(url.replace(/^(\w+:\/\/[^/?]*@)(?=\/)/, '$1localhost'))
  // Both are also taken from here, before those of the address.
  for (const name of ['host', 'port']) own.searchParams.delete(name)
  own.hostname = host.includes(':') ? `[${host}]` : host
  own.port = String(port)
  return own.href
}
