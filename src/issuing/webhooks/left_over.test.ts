import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { emit } from '#events/outbox.ts'
import { transact } from '#kit/context.ts'
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
  const text = typeof rows === 'function' ? rows(() => sql``) : rows
  return (await sql`${text}`.execute(world.db)).rows.length
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

test('a subscription with more open deliveries than a statement ends is deleted', async () => {
  const id = await subscribe()
  const [count, left] = [10_000, 5]
  await sql`
    insert into deliveries (tenant_id, id, webhook_id, event_id, event, object_id, sequence, status,
      due, created, modified)
    select ${world.tenant.id}::uuid, overlay(gen_random_uuid()::text placing ${newId().slice(0, 15)}
      from 1 for 15)::uuid, ${id}::uuid, gen_random_uuid(), ${EVENT}, gen_random_uuid(), 1,
      'RETRYING', now(), now(), now()
    from generate_series(1, ${count + left})`.execute(world.db)
  const openOf = async () => (await deliveriesOf(id)).filter(({ due }) => due !== null).length
  assert.equal((await world.request('DELETE', `/v1/webhooks/${id}`)).status, 200)
  assert.equal(await openOf(), left)
  await endLeftOverDeliveries(world.db)
  assert.equal(await openOf(), 0)
})
