/** Parts of tests of the kit that differ if the database is one of a cluster. */

import { isOfCluster } from '#kit/db/connections/cluster.ts'
import { onServer } from '../processes/server.ts'

/** Whether the database is spread over several servers. */
export const isSpread = (url: string): Promise<boolean> => onServer(url, isOfCluster)

/**
 * The forms in which groups of statements are sent (`explicit` of openDatabase): to one server both
 * work, to a cluster only that with `begin` and `commit`, which the program then finds by itself.
 */
export const formsOf = async (url: string): Promise<readonly (boolean | undefined)[]> =>
  (await isSpread(url)) ? [undefined] : [false, true]

/**
 * Spreads a table that a test has made, as those of the program are: its rows lie with their tenant
 * where it has `tenant_id`, and on each node otherwise. One server has the table already.
 */
export async function spreadTable(url: string, table: string): Promise<void> {
  await onServer(url, async (client) => {
    if (!(await isOfCluster(client))) return
    const { rows } = await client.query(
      `select from pg_attribute where attrelid = $1::regclass and attname = 'tenant_id'`,
      [table],
    )
    const spread = `select create_distributed_table($1, 'tenant_id', colocate_with => 'cards')`
    const copied = 'select create_reference_table($1)'
    await client.query(rows.length > 0 ? spread : copied, [table])
  })
}
