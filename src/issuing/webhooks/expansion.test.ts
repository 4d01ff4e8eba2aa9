import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { BATCH_MAX, makeBatchId } from '#events/event_batches.ts'
import { auditEvents } from '#events/events_audit.ts'
import { DELIVERIES, EVENTS, FEED, type ObjectEvent } from '#events/outbox.ts'
import { ofTenant } from '#kit/audit.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { FIRST_ID } from '#kit/jobs/due_tenants.ts'
import { newId } from '#lib/id.ts'
import { auditAll } from '#src/audit/audits.ts'
import { listDeliveries } from '#test/support/deliveries.ts'
import { emitToSubscribers } from '#test/support/events.ts'
import { closeGate } from '#test/support/gate.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { openReceiver, until } from '#test/support/services/receiver.ts'
import { openWorld, type TestTenant } from '#test/support/world.ts'

import { createNumbering, numberEvents, numberWithin } from './expansion.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

let tenant: TestTenant
let ctx: Context
beforeEach(async () => {
  tenant = await world.otherTenant()
  ctx = await world.ctx(tenant.id)
})

const ask = async (method: string, path: string, body?: object) => {
  const answer = await world.request(method, `/v1${path}`, body, { key: tenant.api_key })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
async function subscribe(...events: string[]): Promise<string> {
  return (await ask('POST', '/webhooks', { endpoint: 'http://127.0.0.1:9/', events })).id
}
const about = (
  object_id: string,
  sequence = 1,
  event: ObjectEvent['event'] = 'TRANSACTION',
): ObjectEvent => ({ event, object_id, sequence })
async function emitted(...events: ObjectEvent[]): Promise<string> {
  const id = makeBatchId()
  await transact(ctx, (tx) => emitToSubscribers(tx, id, events))
  return id
}
/** From then on the transaction has begun for all others: it has an id. */
const assignId = ({ db }: Tx) => sql`select pg_current_xact_id()`.execute(db)
async function expandAll(): Promise<void> {
  while ((await numberEvents(ctx)).more);
}
const deliveries = () => listDeliveries(world.db, tenant.id)
const isDue = async () =>
  (await createNumbering(() => true).dueTenants(world.db, FIRST_ID, 1_000)).includes(tenant.id)

describe('the events of a batch become deliveries', () => {
  test('to the subscriptions that were active for their kind when they were written', async () => {
    const both = await subscribe('TRANSACTION', 'EXPIRED_AUTH')
    const expired = await subscribe('EXPIRED_AUTH')
    const disabledLater = await subscribe('TRANSACTION')
    const changedLater = await subscribe('TRANSACTION')
    const deletedLater = await subscribe('TRANSACTION')
    const enabledLater = await subscribe('TRANSACTION')
    await ask('PUT', `/webhooks/${enabledLater}`, { status: 'DISABLED' })
    const id = await emitted(about(newId()), about(newId(), 7), about(newId(), 2, 'EXPIRED_AUTH'))
    await subscribe('TRANSACTION')
    await ask('PUT', `/webhooks/${enabledLater}`, { status: 'ACTIVE' })
    await ask('PUT', `/webhooks/${disabledLater}`, { status: 'DISABLED' })
    await ask('PUT', `/webhooks/${changedLater}`, { events: ['KYC_RESULT'] })
    await ask('DELETE', `/webhooks/${deletedLater}`)
    assert.equal(await isDue(), true)
    await expandAll()
    assert.equal(await isDue(), false)
    const rows = (await deliveries()).map((row) => `${row.webhook_id} ${row.event}`)
    assert.deepEqual(
      rows.sort(),
      [both, disabledLater, changedLater]
        .flatMap((webhook) => Array(2).fill(`${webhook} TRANSACTION`))
        .concat([`${both} EXPIRED_AUTH`, `${expired} EXPIRED_AUTH`])
        .sort(),
    )
    const { data } = await ask('GET', `/webhooks/${changedLater}/deliveries`)
    assert.deepEqual(data.map(({ event_id }: { event_id: string }) => event_id).sort(), [
      id,
      `${id.slice(0, -1)}1`,
    ])
    assert.ok(
      data.every(
        ({ event, status }: Record<string, string>) =>
          event === 'TRANSACTION' && status === 'PENDING',
      ),
    )
    assert.deepEqual(await auditEvents(world.db, ofTenant(tenant.id), 0), [])
  })

  test('once, with an id that begins with the time of the event', async () => {
    await subscribe('TRANSACTION')
    const notified: string[] = []
    ctx = { ...ctx, notify: (channel: string) => notified.push(channel) }
    await emitted(about(newId()), about(newId()))
    assert.deepEqual(notified.splice(0), [EVENTS])
    const failed = transact(ctx, async (tx) => {
      await numberWithin(tx)
      throw new Error('planted')
    })
    await assert.rejects(failed, /planted/)
    assert.deepEqual([await deliveries(), notified], [[], []])
    await expandAll()
    assert.deepEqual(notified, [FEED, DELIVERIES])
    const rows = await deliveries()
    assert.equal(rows.length, 2)
    for (const { id, event_id } of rows) {
      assert.equal(id.slice(0, 15), `${event_id.slice(0, 13)}-7`)
      assert.match(id, /^[0-9a-f-]{14}7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
    }
    // Even a row that were expanded again would make no second delivery.
    await sql`update events set place = 1, number = null,
      to_deliver = array(select id from webhooks where tenant_id = ${tenant.id})
      where tenant_id = ${tenant.id}`.execute(world.db)
    await sql`update feeds set last = 0 where tenant_id = ${tenant.id}`.execute(world.db)
    await expandAll()
    assert.deepEqual(await deliveries(), rows)
  })

  test('which are none where no subscription is active for their kind', async () => {
    await subscribe('KYC_RESULT')
    const notified: string[] = []
    ctx = { ...ctx, notify: (channel: string) => notified.push(channel) }
    await emitted(about(newId()))
    assert.deepEqual(notified, [EVENTS])
    await expandAll()
    assert.deepEqual(notified, [EVENTS, FEED])
    assert.equal(await isDue(), false)
    assert.deepEqual(await deliveries(), [])
  })

  test('in portions', async () => {
    await subscribe('TRANSACTION')
    for (let count = 0; count < 4; count++) {
      await emitted(...Array.from({ length: BATCH_MAX }, () => about(newId())))
    }
    // A portion begins no further row after 10,000 deliveries.
    assert.deepEqual(await numberEvents(ctx), { numbered: 3, delivered: 3 * BATCH_MAX, more: true })
    assert.equal((await deliveries()).length, 3 * BATCH_MAX)
    assert.deepEqual(await numberEvents(ctx), { numbered: 1, delivered: BATCH_MAX, more: false })
    assert.equal((await deliveries()).length, 4 * BATCH_MAX)
  })
})

describe('the deliveries of one object', () => {
  const BATCHES = 300
  const OBJECTS = 7

  test('are made in order and once by several processes', async () => {
    await subscribe('TRANSACTION')
    const objects = Array.from({ length: OBJECTS }, () => newId())
    let done = false
    const outOfOrder: unknown[] = []
    const expanders = Array.from({ length: 4 }, async () => {
      while (!done) await numberEvents(ctx)
    })
    const reader = (async () => {
      // The newest delivery of an object comes with all earlier ones.
      while (!done) {
        const { rows } = await sql`
          select object_id from deliveries where tenant_id = ${tenant.id}
          group by object_id having max(sequence) <> count(*)`.execute(world.db)
        outOfOrder.push(...rows)
      }
    })()
    for (let sequence = 1; sequence <= BATCHES; sequence++) {
      await emitted(...objects.map((id) => about(id, sequence)))
    }
    await until('all are made', async () => (await deliveries()).length === BATCHES * OBJECTS)
    done = true
    await Promise.all([...expanders, reader])
    assert.deepEqual(outOfOrder, [])
    assert.equal((await deliveries()).length, BATCHES * OBJECTS)
  })

  test('are made in order where the later change began its transaction first', async () => {
    await subscribe('TRANSACTION')
    const object_id = newId()
    const first = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const later = transact(ctx, async (tx) => {
      await assignId(tx)
      begun.resolve()
      await first.promise
      await emitToSubscribers(tx, makeBatchId(), [about(object_id, 2)])
    })
    await begun.promise
    await emitted(about(object_id, 1))
    first.resolve()
    await later
    const { rows } = await sql<{ sequences: number[] }>`
      select sequences from events where tenant_id = ${tenant.id} order by place`.execute(world.db)
    assert.deepEqual(rows, [{ sequences: [1] }, { sequences: [2] }])
    await expandAll()
    assert.equal((await deliveries()).length, 2)
  })
})

test(':recover delivers events of batches that were missed, and none twice', async () => {
  const id = await subscribe('TRANSACTION')
  const since = new Date(ctx.now.getTime() - 60_000).toISOString()
  const objects = Array.from({ length: 5 }, () => newId())
  await emitted(...objects.map((object) => about(object)))
  await ask('PUT', `/webhooks/${id}`, { status: 'DISABLED' })
  await emitted(...objects.map((object) => about(object, 2)))
  await ask('PUT', `/webhooks/${id}`, { status: 'ACTIVE' })
  const recover = () => ask('POST', `/webhooks/${id}:recover`, { since })
  assert.deepEqual(await recover(), { recovered: 5, has_more: false })
  assert.deepEqual(await recover(), { recovered: 0, has_more: false })
  assert.deepEqual(
    (await deliveries()).map(({ object_id, sequence }) => [object_id, sequence]),
    objects.sort().flatMap((object) => [
      [object, 1],
      [object, 2],
    ]),
  )
  const [first] = await deliveries()
  await sql`update deliveries set status = 'EXPIRED', due = null
    where tenant_id = ${tenant.id} and id = ${first?.id}`.execute(world.db)
  assert.deepEqual(await recover(), { recovered: 1, has_more: false })
  const sent = await ask('POST', `/deliveries/${first?.id}:resend`)
  assert.deepEqual([sent.event, sent.event_id], ['TRANSACTION', first?.event_id])
})

test(':recover waits until pending batches are expanded, a portion a call', async () => {
  const id = await subscribe('TRANSACTION')
  const object_id = newId()
  for (let sequence = 1; sequence <= 129; sequence++) await emitted(about(object_id, sequence))
  const recover = () =>
    ask('POST', `/webhooks/${id}:recover`, { since: new Date(ctx.now.getTime() - 60_000) })
  assert.deepEqual(await recover(), { recovered: 0, has_more: true })
  assert.equal((await deliveries()).length, 128)
  assert.deepEqual(await recover(), { recovered: 0, has_more: false })
  assert.equal((await deliveries()).length, 129)
})

test('what :recover makes keeps no event of the tenant from its number', async () => {
  const id = await subscribe('TRANSACTION')
  await emitted(about(newId()))
  await expandAll()
  const [first] = await deliveries()
  assert.ok(first)
  await sql`update deliveries set status = 'EXPIRED', due = null
    where tenant_id = ${tenant.id} and id = ${first.id}`.execute(world.db)
  const row = { tenant_id: tenant.id, id: first.id }
  const gate = await closeGate(world.url, row, { table: 'deliveries', key: 'id' })
  const since = new Date(ctx.now.getTime() - 60_000)
  const recovered = ask('POST', `/webhooks/${id}:recover`, { since })
  await gate.untilBlocked()
  await emitted(about(newId()))
  assert.equal((await numberEvents(ctx)).numbered, 1)
  await gate.open()
  assert.deepEqual(await recovered, { recovered: 1, has_more: false })
  assert.equal((await deliveries()).length, 2)
})

test('a decision whose process ended before its deliveries were made is delivered', async () => {
  const receiver = await openReceiver()
  const issuer = await openIssuer(world, tenant)
  await ask('POST', '/webhooks', { endpoint: receiver.url, events: ['TRANSACTION'] })
  const { card_id } = await issuer.card(100)
  const decided = await ask('POST', '/simulate/authorizations', {
    card_id,
    amount: 40,
    currency: 'AED',
  })
  await ask('POST', `/simulate/authorizations/${decided.id}:clear`, { amount: 30 })
  assert.deepEqual(await deliveries(), [])

  world.sweeper.start()
  await until('both are delivered', () => receiver.received.length === 2)
  const [authorized, cleared] = receiver.received.map(({ body }) => body)
  assert.deepEqual(authorized.card_transaction, {
    ...authorized.card_transaction,
    id: decided.id,
    status: 'PENDING',
  })
  assert.equal(cleared.card_transaction.cleared_amount, 30)
  const { data } = await until('the feed has both', async () => {
    const page = await ask('GET', '/events?limit=200')
    return page.data.at(-1)?.id === cleared.id && page
  })
  assert.deepEqual(data.slice(-2), [authorized, cleared])
  await receiver.close()
  await until('their results are written', async () =>
    (await deliveries()).every(({ status }) => status === 'DELIVERED'),
  )
  // Other tests report events of transactions that they make up.
  const found = await auditAll(world.db)
  assert.deepEqual(
    found.filter(({ tenant_id }) => tenant_id === tenant.id),
    [],
  )
})
