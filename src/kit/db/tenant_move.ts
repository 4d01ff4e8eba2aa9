/**
 * Gives a tenant of a cluster shards of its own, and moves them to a node, while the program goes
 * on (D-1104). A run that was ended goes on from what there is.
 */

import type pg from 'pg'
import { StartError } from '#kit/start_error.ts'

/** A table that is spread with all others of a tenant: these lie with it. */
const TABLE = 'feeds'

type Place = { shard: string; is_own: boolean; host: string; port: number }
type Done = 'isolated' | 'moved'

/** Throws a StartError if there is no such tenant, or no such node for shards. */
export async function moveTenant(
  client: pg.ClientBase,
  tenant_id: string,
  node: string,
  onStep: (step: 'isolate' | 'move') => void,
): Promise<Done[]> {
  const done: Done[] = []
  const to = await findNode(client, node)
  const { is_own } = await placeOf(client, tenant_id)
  await client.query('set statement_timeout = 0')
  if (!is_own) {
    onStep('isolate')
    await client.query(ISOLATE, [tenant_id])
    done.push('isolated')
  }
  const from = await placeOf(client, tenant_id)
  if (from.host === to.host && from.port === to.port) return done
  onStep('move')
  await client.query(MOVE, [from.shard, from.host, from.port, to.host, to.port])
  return [...done, 'moved']
}

const ISOLATE = `select isolate_tenant_to_new_shard('${TABLE}', $1::uuid, 'CASCADE',
  shard_transfer_mode => 'force_logical')`
const MOVE = `select citus_move_shard_placement($1::bigint, $2, $3::int, $4, $5::int,
  shard_transfer_mode => 'force_logical')`

async function placeOf(client: pg.ClientBase, tenant_id: string): Promise<Place> {
  const { rows } = await client.query<Place>(PLACE, [tenant_id])
  const [found] = rows
  if (!found) throw new StartError(`there is no tenant ${tenant_id} whose rows are spread`)
  return found
}

const PLACE = `
  select s.shardid::text as shard, s.shardminvalue = s.shardmaxvalue as is_own,
    n.nodename as host, n.nodeport as port
  from tenants t
    join pg_dist_shard s on s.shardid = get_shard_id_for_distribution_column('${TABLE}', t.id)
    join pg_dist_placement p using (shardid) join pg_dist_node n using (groupid)
  where t.id = $1::uuid and n.noderole = 'primary'`

async function findNode(
  client: pg.ClientBase,
  node: string,
): Promise<{ host: string; port: number }> {
  const { rows } = await client.query<{ host: string; port: number }>(
    `select nodename as host, nodeport as port from pg_dist_node
    where nodename || ':' || nodeport = $1 and shouldhaveshards and isactive
      and noderole = 'primary'`,
    [node],
  )
  const [found] = rows
  if (!found) {
    throw new StartError(
      `the cluster has no node ${node} for shards: name one as host:port of ` +
        '"select nodename, nodeport from pg_dist_node"',
    )
  }
  return found
}
