/** Connections to a cluster, or to the one server of the tests. */

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { isSpread } from '#test/support/cluster/forms.ts'
import { openWorld } from '#test/support/world.ts'

/** From the sixth time on PostgreSQL may have a generic plan. */
const TIMES = 12

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

test('a statement that is repeated has no generic plan on a cluster', async () => {
  const ctx = await world.ctx()
  const generic = await ctx.db.runTransaction(async (db) => {
    for (let time = 0; time < TIMES; time += 1) {
      await sql`select from cards where tenant_id = ${ctx.tenant_id} and id = ${ctx.tenant_id}`.execute(
        db,
      )
    }
    const { rows } = await sql<{ plans: number }>`
      select sum(generic_plans)::int as plans from pg_prepared_statements
      where statement like 'select from cards%'`.execute(db)
    return rows[0]?.plans ?? 0
  })
  // Citus 13 keeps a plan of the shard for each execution of one, until the connection ends.
  if (await isSpread(world.url)) assert.equal(generic, 0)
})
