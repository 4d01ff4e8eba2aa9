import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { transact } from '#kit/context.ts'
import { emit } from '#kit/db/events/outbox.ts'
import { newId } from '#lib/id.ts'
import { madeUpEvent } from '#test/support/events.ts'
import { openWorld } from '#test/support/world.ts'
import { webhookBacklogs } from './backlogs.ts'
import { endLeftOverDeliveries } from './left_over.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

const EVENT = 'USER_STATUS_CHANGE'
const subscribe = async (): Promise<string> => {
  const body = { endpoint: 'http://127.0.0.1:9/', events: [EVENT] }
  return (await world.request('POST', '/v1/webhooks', body)).body.id
}
const deliveriesOf = (webhook_id: string) =>
  world.db
    .selectFrom('deliveries')
    .select(['status', 'due', 'error'])
    .where('webhook_id', '=', webhook_id)
    .execute()
async function countBacklog(): Promise<number> {
  const { rows } = webhookBacklogs.find(({ queue }) => queue === 'deliveries') ?? assert.fail()
  return (await sql`${rows}`.execute(world.db)).rows.length
}

test('a delivery that commits after the deletion of its subscription is ended', async () => {
  const [deleted, kept] = [await subscribe(), await subscribe()]
  const ctx = await world.ctx()
  await transact(ctx, async (tx) => {
    await emit(tx, madeUpEvent(EVENT, newId()))
    // The row is there, for this transaction alone.
    await sql`select from deliveries where webhook_id = ${deleted}`.execute(tx.db)
    const { status } = await world.request('DELETE', `/v1/webhooks/${deleted}`)
    assert.equal(status, 200)
  })
  assert.deepEqual(
    (await deliveriesOf(deleted)).map(({ status }) => status),
    ['PENDING'],
  )
  assert.equal(await countBacklog(), 2)

  await endLeftOverDeliveries(world.db)
  const error = 'the subscription was deleted'
  assert.deepEqual(await deliveriesOf(deleted), [{ status: 'EXPIRED', due: null, error }])
  const [open] = await deliveriesOf(kept)
  assert.ok(open?.due, 'that of another subscription stays')
  assert.equal(await countBacklog(), 1)
})
