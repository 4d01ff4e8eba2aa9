/** Results of attempts beside rows that another transaction has locked (D-934). */

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { emit } from '#events/outbox.ts'
import { type Context, transact } from '#kit/context.ts'
import { newId } from '#lib/id.ts'
import { madeUpEvent } from '#test/support/events.ts'
import { closeGate } from '#test/support/gate.ts'
import { openWorld } from '#test/support/world.ts'
import { type Claimed, claimDeliveries, type DueWebhook, listDueWebhooks } from './claims.ts'
import { createResultWriter } from './results.ts'
import type { Verdict } from './rules/outcome.ts'
import { createWebhook } from './webhooks.ts'

/** Longer than a test lasts: no result is given up because its claim has ended. */
const CLAIM_MS = 600_000

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

/** A tenant with so many subscriptions. */
async function subscribe(count: number): Promise<Context> {
  const { id } = await world.otherTenant()
  const ctx = await world.ctx(id)
  const body = { endpoint: 'http://127.0.0.1:9/unused', events: ['KYC_RESULT' as const] }
  for (let at = 0; at < count; at++) await createWebhook(ctx, body)
  return ctx
}

/** Deliveries of so many events to each subscription, which are claimed. */
async function claim(ctx: Context, count: number) {
  const events = Array.from({ length: count }, () => madeUpEvent('KYC_RESULT', newId(), {}))
  await transact(ctx, (tx) => emit(tx, ...events))
  return transact(ctx, async (tx) => {
    const webhooks = await listDueWebhooks(tx)
    const shares = webhooks.map(({ id }) => ({ webhook_id: id, most: count }))
    const { byWebhook } = await claimDeliveries(tx, shares, CLAIM_MS)
    return webhooks.flatMap((webhook) =>
      (byWebhook.get(webhook.id) ?? []).map((delivery) => ({ webhook, delivery })),
    )
  })
}

type Tried = { webhook: DueWebhook; delivery: Claimed }
const answer = { response_body: null, gone: false, attempts: 1 }
const delivered: Verdict = {
  ...answer,
  status: 'DELIVERED',
  due: null,
  response_status: 200,
  error: null,
}
const failed = ({ now }: Context): Verdict => ({
  ...answer,
  status: 'RETRYING',
  due: new Date(now.getTime() + 60_000),
  response_status: 500,
  error: null,
})
const finished = (ctx: Context, tried: Tried, verdict: Verdict) => ({
  ctx,
  ...tried,
  verdict,
  sent: { sent: ctx.now, webhook_timestamp: 1n, duration_ms: 1, masked_headers: [] },
})

async function statusOf({ tenant_id }: Context, { delivery }: Tried): Promise<string> {
  const { status } = await world.db
    .selectFrom('deliveries')
    .select('status')
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', delivery.id)
    .executeTakeFirstOrThrow()
  return status
}

test('the result of a locked delivery keeps no other from being written', async () => {
  const ctx = await subscribe(1)
  const tried = await claim(ctx, 3)
  assert.equal(tried.length, 3)
  const statuses = () => Promise.all(tried.map((one) => statusOf(ctx, one)))
  const { tenant_id } = ctx
  const locked = { tenant_id, id: tried[1]?.delivery.id ?? '' }
  const gate = await closeGate(world.url, locked, { table: 'deliveries', key: 'id' })
  const results = createResultWriter()
  const [one, held, other] = tried.map((each) => results.add(finished(ctx, each, delivered)))
  await Promise.all([one, other])
  assert.deepEqual(await statuses(), ['DELIVERED', 'PENDING', 'DELIVERED'])

  // Those that come later do not wait for it either.
  const [later] = await claim(ctx, 1)
  assert.ok(later)
  await results.add(finished(ctx, later, delivered))
  assert.equal(await statusOf(ctx, later), 'DELIVERED')
  await gate.open()
  await held
  assert.deepEqual(await statuses(), ['DELIVERED', 'DELIVERED', 'DELIVERED'])
})

test('the result of a locked subscription keeps those of no other from being written', async () => {
  const ctx = await subscribe(2)
  const tried = await claim(ctx, 2)
  const [locked, ...more] = tried
  assert.ok(locked)
  const same = more.filter(({ webhook }) => webhook.id === locked.webhook.id)
  const others = more.filter(({ webhook }) => webhook.id !== locked.webhook.id)
  assert.deepEqual([same.length, others.length], [1, 2])
  const row = { tenant_id: ctx.tenant_id, id: locked.webhook.id }
  const gate = await closeGate(world.url, row, { table: 'webhooks', key: 'id' })
  const results = createResultWriter()
  // A first failure is noted in the row of the subscription.
  const held = [locked, ...same].map((one) => results.add(finished(ctx, one, failed(ctx))))
  await Promise.all(others.map((one) => results.add(finished(ctx, one, failed(ctx)))))
  for (const one of others) assert.equal(await statusOf(ctx, one), 'RETRYING')
  assert.equal(await statusOf(ctx, locked), 'PENDING')
  await gate.open()
  await Promise.all(held)
  for (const one of tried) assert.equal(await statusOf(ctx, one), 'RETRYING')
})

test('a result that is written again after a commit without an answer is done', async () => {
  const ctx = await subscribe(1)
  const [tried] = await claim(ctx, 1)
  assert.ok(tried)
  const results = createResultWriter()
  for (let time = 0; time < 2; time++) await results.add(finished(ctx, tried, failed(ctx)))
  const { count } = await world.db
    .selectFrom('delivery_attempts')
    .select((row) => row.fn.countAll<bigint>().as('count'))
    .where('tenant_id', '=', ctx.tenant_id)
    .executeTakeFirstOrThrow()
  assert.equal(count, 1n)
})
