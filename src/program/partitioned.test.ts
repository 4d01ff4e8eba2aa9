/**
 * Retention over the whole program: the dropped partitions, and the facts that remain true without
 * them.
 */

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { auditCards } from '#issuing/cards/cards.ts'
import { auditUsers } from '#issuing/users/users.ts'
import { createWorker } from '#issuing/webhooks/worker.ts'
import { ofTenant } from '#kit/audit.ts'
import { leafName, monthOf, startOf } from '#kit/db/partitions/partition_months.ts'
import { isComplete } from '#kit/db/partitions/partitions.ts'
import { firstIdAt } from '#lib/id.ts'
import { addDays } from '#lib/time.ts'
import { auditOrders } from '#merchant/orders/orders.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { until } from '#test/support/services/receiver.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { keepPartitions, partitioned } from './partitioned.ts'

async function leavesOf({ db }: World, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select inhrelid::regclass::text as name from pg_inherits
    where inhparent = to_regclass(${table}) order by 1`.execute(db)
  return rows.map(({ name }) => name)
}

test('tables are kept as their settings say: all transactions, ninety days of the others', async () => {
  await using world = await openWorld()
  const { kept_days } = world.config
  const first = async (table = 'transactions') => (await leavesOf(world, table))[0]
  const oldest = await first()
  const oldestShadows = await first('shadow_counts')
  const later = addDays(new Date(), 400)
  await keepPartitions(world.db, kept_days, later)
  for (const table of partitioned) {
    const leaves = await leavesOf(world, table.table)
    if (table.table === 'deliveries') continue
    if (table.kept === 'transactions') {
      assert.equal(leaves[0], table.table === 'transactions' ? oldest : oldestShadows)
      continue
    }
    // The oldest that is left contains a row of ninety days ago.
    assert.equal(leaves[0], leafName(table, monthOf(table, addDays(later, -90))))
  }
  await keepPartitions(world.db, { ...kept_days, transactions: 731 }, later)
  assert.equal(await first(), oldest)
  await keepPartitions(world.db, { ...kept_days, transactions: 731 }, addDays(later, 500))
  assert.notEqual(await first(), oldest)
})

/**
 * Deletes the events as if the partition before the current month was dropped, with all rows so
 * far.
 */
async function forgetEvents({ db }: World): Promise<void> {
  const events = partitioned.find(({ table }) => table === 'events')
  assert.ok(events)
  const month = monthOf(events, new Date())
  const leaf = sql.table(leafName(events, month))
  const [from, to] = [month, month + 1].map((at) =>
    sql.lit(firstIdAt(startOf(events, at).getTime())),
  )
  await sql`alter table events detach partition ${leaf}`.execute(db)
  await sql`delete from ${leaf}`.execute(db)
  await sql`alter table events attach partition ${leaf} for values from (${from}) to (${to})`.execute(
    db,
  )
}

describe('once old events were dropped', async () => {
  const world = await openWorld()
  after(() => world[Symbol.asyncDispose]())
  const issuer = await openIssuer(world, world.tenant)
  const endpoint = 'http://127.0.0.1:9/'
  await issuer.call('POST', '/v1/webhooks', { endpoint, events: ['SUCCESSFULLY_CREATED'] })
  const { card_id } = await issuer.card(100)
  // The feed waits for older transactions of the whole server, those of other tests too.
  const cursor = await until('the feed shows the events', async () => {
    const feed = await issuer.call('GET', '/v1/events')
    return feed.body.after
  })
  assert.ok(await isComplete(world.db, 'events'))
  await forgetEvents(world)

  test('a delivery whose event was dropped ends as EXPIRED, and cannot be sent again', async () => {
    const worker = createWorker()
    await worker.run(await world.ctx())
    worker.prepareStop?.()
    await worker.stop?.()
    const deliveries = await world.db
      .selectFrom('deliveries')
      .select(['id', 'status', 'due', 'error'])
      .where('sequence', '=', 1)
      .where('object_id', '=', card_id)
      .execute()
    assert.deepEqual(
      deliveries.map(({ id: _id, ...rest }) => rest),
      [{ status: 'EXPIRED', due: null, error: 'the event is no longer kept' }],
    )
    const resent = await issuer.call('POST', `/v1/deliveries/${deliveries[0]?.id}:resend`)
    assert.equal(resent.status, 404)
  })

  test('the audits find nothing wrong, also after the next events', async () => {
    assert.equal(await isComplete(world.db, 'events'), false)
    const change = { status: 'SUSPENDED', status_reason_code: 'S0' }
    const answer = await issuer.call('PUT', `/v1/cards/${card_id}:statuschange`, change)
    assert.equal(answer.status, 200, answer.text)
    await issuer.card(100)
    assert.deepEqual(await auditCards(world.db, ofTenant(world.tenant.id)), [])
    assert.deepEqual(await auditUsers(world.db), [])
    assert.deepEqual(await auditOrders(world.db), [])
  })

  test('a cursor of the feed that was dropped fails with what to do', async () => {
    assert.ok(cursor)
    const { status, body } = await issuer.call('GET', `/v1/events?after=${cursor}`)
    assert.deepEqual([status, body.code], [400, 'cursor_invalid'])
    assert.match(body.detail, /no longer kept: list again without it/)
    assert.equal((await issuer.call('GET', '/v1/events')).status, 200)
  })
})
