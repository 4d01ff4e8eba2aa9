/** Whether a server is one of a cluster (Citus), and the preparation of connections to it. */

import type pg from 'pg'
import { CopiedTables, findCopiedTables } from './copied_tables.ts'

type Client = pg.Pool | pg.ClientBase

/** A database of a cluster has the extension on each of its servers. */
export const IS_CLUSTER =
  "select exists (select from pg_extension where extname = 'citus') as is_cluster"

export async function isOfCluster(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ is_cluster: boolean }>(IS_CLUSTER)
  return rows[0]?.is_cluster ?? false
}

/** Whether it is a node of a cluster other than the coordinator, which alone changes the schema. */
export async function isWorker(client: Client): Promise<boolean> {
  if (!(await isOfCluster(client))) return false
  const { rows } = await client.query<{ is_worker: boolean }>(
    'select groupid <> 0 as is_worker from pg_dist_local_group',
  )
  return rows[0]?.is_worker ?? false
}

/**
 * The settings of a transaction reach the other servers as well, and plans are made for the values
 * of a statement: Citus finds the server by them, and none for a generic plan but for one of a
 * table alone. The shard of that is planned again at each execution, and all of these plans are
 * kept until the connection ends: 40 to 110 KB each (D-1460). A statement over all tenants asks
 * the shards of a node one after another, on one connection that stays open: further connections
 * would cost ten times as much as the statements on them.
 */
const SETTINGS = `select set_config('citus.propagate_set_commands', 'local', false),
  set_config('citus.max_adaptive_executor_pool_size', '1', false),
  set_config('plan_cache_mode', 'force_custom_plan', false)`

/**
 * Prepares each new connection. The first one asks for the kind of server, unless `explicit` says
 * how groups are sent.
 */
export function createPreparation(explicit?: boolean) {
  let cluster: boolean | undefined
  let copied = new CopiedTables([])
  const isSpread = (): boolean | undefined => explicit ?? cluster
  return {
    /** Whether the server is of a cluster, if that is known. */
    isSpread,
    /** Whether a group needs `begin` and `commit` to be a transaction; known once one is open. */
    isExplicit: (): boolean => isSpread() ?? false,
    /** The tables of a cluster of which each node has a copy; known once a connection is open. */
    copied: (): CopiedTables => copied,
    async prepare(client: pg.ClientBase): Promise<void> {
      if (explicit !== undefined) return
      cluster ??= await isOfCluster(client)
      if (!cluster) return
      await client.query(SETTINGS)
      if (copied.isEmpty) copied = await findCopiedTables(client)
    },
  }
}

export type Preparation = ReturnType<typeof createPreparation>
