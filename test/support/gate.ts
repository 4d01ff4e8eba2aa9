/** A row that a test locks, so that a statement that needs it waits until the test releases it. */

import assert from 'node:assert/strict'
import { setTimeout as pass } from 'node:timers/promises'
import pg from 'pg'
import { PATIENCE_MS } from '#test/support/time/patience.ts'
import type { World } from '#test/support/world.ts'
import { lockWaitsIn, onEachNode } from './cluster/nodes.ts'

const POLL_MS = 20

export type Gate = {
  /** Resolves when a session waits for the row. */
  untilBlocked: () => Promise<void>
  /** Lets the transaction that waits longest pass, and closes behind it. */
  letOnePass: () => Promise<void>
  /** Ends the sessions that wait: those of a machine that has died. */
  endWaiting: () => Promise<void>
  open: () => Promise<void>
}

/** Takes the row of an account, or of another table. */
export async function closeGate(
  url: string,
  row: { tenant_id: string; id: string },
  { table, key }: { table: string; key: string } = { table: 'accounts', key: 'id' },
): Promise<Gate> {
  const take = async () => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query('begin')
    const taken = await client.query(
      `select from ${table} where tenant_id = $1 and ${key} = $2 for update`,
      [row.tenant_id, row.id],
    )
    assert.equal(taken.rowCount, 1)
    return client
  }
  const release = async (client: pg.Client) => {
    await client.query('commit')
    await client.end()
  }
  const until = async (holds: (waiting: number) => boolean) => {
    const end = performance.now() + PATIENCE_MS
    while (!holds(await lockWaitsIn(url))) {
      assert.ok(performance.now() < end, 'not so many wait for the row')
      await pass(POLL_MS)
    }
  }
  let holder = await take()
  return {
    untilBlocked: () => until((waiting) => waiting > 0),
    async letOnePass() {
      const before = await lockWaitsIn(url)
      const next = take()
      await until((waiting) => waiting > before)
      await release(holder)
      holder = await next
    },
    async endWaiting() {
      await onEachNode(url, (client) =>
        client.query(`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`),
      )
      await until((waiting) => waiting === 0)
    },
    open: () => release(holder),
  }
}

/** Fails if another session has locked the numbers of a product. */
export async function assertNumbersFree(
  { db, tenant }: World,
  card_product_id: string,
  kind: 'CARD' | 'TOKEN',
): Promise<void> {
  const free = db
    .selectFrom('vault.ranges')
    .select('next')
    .where('tenant_id', '=', tenant.id)
    .where('card_product_id', '=', card_product_id)
    .where('kind', '=', kind)
    .forUpdate()
    .skipLocked()
  assert.equal((await free.execute()).length, 1)
}

/** Fails if another session has locked what the tenant loads cards from. */
export async function assertFundingFree({ db, tenant }: World): Promise<void> {
  const free = db
    .selectFrom('accounts')
    .select('id')
    .where('tenant_id', '=', tenant.id)
    .where('kind', '=', 'FUNDING')
    .forNoKeyUpdate()
    .skipLocked()
  assert.equal((await free.execute()).length, 1)
}
