/** The nodes of a test's database: several of a cluster, or one server alone. */

import type pg from 'pg'
import { isOfCluster } from '#kit/db/connections/cluster.ts'
import { Nodes, urlOf } from '#kit/db/connections/nodes.ts'
import { onServer } from '../processes/server.ts'

/**
 * The URL at which the rows of a tenant are. A fault between the program and the database has to be
 * on the way there: the program goes from any other server to that node by itself (D-684).
 */
export async function urlOfTenant(url: string, tenant_id: string): Promise<string> {
  return onServer(url, async (client) => {
    const node = await nodesBy(client).of(tenant_id)
    return node ? urlOf(url, node) : url
  })
}

/** Does the same at each node at once: sessions and what they wait for are those of a server. */
export async function onEachNode<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result[]> {
  const others = await onServer(url, async (client) =>
    (await isOfCluster(client)) ? nodesBy(client).list() : [],
  )
  const urls = [url, ...others.map((node) => urlOf(url, node))]
  return Promise.all(urls.map((one) => onServer(one, work)))
}

/** How many sessions of the database wait for a lock, at whichever node. */
export async function lockWaitsIn(url: string): Promise<number> {
  const found = await onEachNode(url, lockWaitsAt)
  return found.reduce((sum, count) => sum + count, 0)
}

/** The same at the server of the client alone. */
export async function lockWaitsAt(client: pg.Client): Promise<number> {
  const { rows } = await client.query(`select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`)
  return rows.length
}

const nodesBy = (client: pg.Client) =>
  new Nodes(async <Row>(text: string, values: readonly unknown[]) => {
    const { rows } = await client.query(text, [...values])
    return rows as Row[]
  })
