/** Deliveries to the endpoints of merchants about real orders (D-750). */

import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { emitOf, openMerchant, type TestMerchant } from '#test/support/network/merchants.ts'
import { buy } from '#test/support/network/purchases.ts'
import {
  openReceiver,
  type Received,
  type Receiver,
  until,
} from '#test/support/services/receiver.ts'
import { openShop } from './shop.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())
shop.sweeper.start()

const kinds = [
  ...['ORDER_AUTHORIZED', 'ORDER_CAPTURED', 'ORDER_REFUNDED', 'ORDER_CAPTURE_EXPIRING'],
  ...['ORDER_EXPIRED', 'PAYOUT_CREATED', 'PAYOUT_PAID', 'PAYOUT_FAILED'],
]
const receivers: Receiver[] = []
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()))
})

async function receive(): Promise<Receiver> {
  const receiver = await openReceiver()
  receivers.push(receiver)
  return receiver
}
/** An endpoint of the merchant, and what it receives. */
async function listen({ ask }: TestMerchant) {
  const receiver = await receive()
  const made = await ask('POST', '/webhooks', { url: receiver.url, events: kinds })
  return { ...receiver, id: String(made.webhook_id), secret: String(made.secret) }
}
const advance = (by: string) => shop.request('PUT', '/v1/simulate/clock', { advance: by })
const eventsIn = (received: readonly Received[]) => received.map(({ body }) => body.event)
const verify = (secret: string, { text, headers }: Received) =>
  new Webhook(secret).verify(text, headers as Record<string, string>)
const payerOf = async () => {
  const { card_id } = await shop.customer(100_000n)
  return (await shop.request('GET', `/v1/cards/${card_id}:reveal`)).body
}

test('a merchant gets the events of its own orders and payouts, and the tenant those of all', async () => {
  const [one, other] = [await openMerchant(shop), await openMerchant(shop)]
  const [mine, theirs, ofTenant] = [await listen(one), await listen(other), await receive()]
  const subscription = { endpoint: ofTenant.url, events: kinds }
  const { secret } = (await shop.request('POST', '/v1/webhooks', subscription)).body
  const payer = await payerOf()

  const reference = await buy(shop, one.token, payer)
  await one.ask('POST', `/orders/${reference}/capture`, {})
  await one.ask('POST', `/orders/${reference}/refund`, { total: '4.00', currency: 'AED' })
  const theirReference = await buy(shop, other.token, payer)
  const left = await buy(shop, one.token, payer)
  // A day before the end of its capture window, two hours before it, and after it.
  for (const by of ['P4D', 'PT23H', 'PT2H']) await advance(by)
  await until('the payout is reported', () =>
    mine.received.some(({ body }) => body.event === 'PAYOUT_CREATED'),
  )
  const { body: payouts } = await shop.request(
    'GET',
    `/v1/operator/payouts?merchant_id=${one.id}`,
    undefined,
    { key: shop.operator_key },
  )
  for (const verb of ['markFailed', 'markPaid']) {
    const path = `/v1/operator/payouts/${payouts.data[0].id}:${verb}`
    await shop.request('POST', path, { reference: 'T-1' }, { key: shop.operator_key })
  }
  await until('all has arrived', () => mine.received.length >= 10 && theirs.received.length >= 4)
  await until('the tenant has all', () => ofTenant.received.length >= 14)

  const about = (of: Receiver, name: string) =>
    eventsIn(of.received.filter(({ body }) => body.reference === name))
  assert.deepEqual(about(mine, reference), ['ORDER_AUTHORIZED', 'ORDER_CAPTURED', 'ORDER_REFUNDED'])
  const ofLeft = [
    ...['ORDER_AUTHORIZED', 'ORDER_CAPTURE_EXPIRING', 'ORDER_CAPTURE_EXPIRING', 'ORDER_EXPIRED'],
  ]
  assert.deepEqual(about(mine, left), ofLeft)
  const payoutEvents = eventsIn(mine.received).filter((event) => event.startsWith('PAYOUT'))
  assert.deepEqual(payoutEvents, ['PAYOUT_CREATED', 'PAYOUT_FAILED', 'PAYOUT_PAID'])
  assert.deepEqual(about(theirs, theirReference), ofLeft)
  assert.deepEqual([mine.received.length, theirs.received.length], [10, 4])
  const ids = (...of: Receiver[]) =>
    of.flatMap(({ received }) => received.map(({ body }) => body.id))
  assert.deepEqual(ids(ofTenant).sort(), ids(mine, theirs).sort())

  for (const [receiver, own] of [
    [mine, mine.secret],
    [theirs, theirs.secret],
    [ofTenant, secret],
  ] as const) {
    for (const received of receiver.received) {
      assert.deepEqual(verify(own, received), received.body)
      for (const another of [mine.secret, theirs.secret, secret]) {
        if (another !== own) assert.throws(() => verify(another, received))
      }
    }
  }
})

describe('an endpoint', () => {
  test('is signed by both secrets for 24 hours after a rotation', async () => {
    const merchant = await openMerchant(shop)
    const endpoint = await listen(merchant)
    const rotated = await merchant.ask('POST', `/webhooks/${endpoint.id}:rotateSecret`)
    await merchant.ask('POST', `/webhooks/${endpoint.id}:ping`)
    await until('the ping has come', () => endpoint.received.length === 1)
    await advance('P1DT1S')
    await emitOf(await shop.ctx(), merchant.id)
    await until('the event has come', () => endpoint.received.length === 2)
    const [first, second] = endpoint.received
    assert.ok(first && second)
    for (const secret of [endpoint.secret, rotated.secret]) verify(secret, first)
    verify(rotated.secret, second)
    assert.throws(() => verify(endpoint.secret, second))
  })

  test('that fails is tried again, in order, and shows its attempts', async () => {
    const merchant = await openMerchant(shop)
    const endpoint = await listen(merchant)
    endpoint.answer(500)
    await emitOf(await shop.ctx(), merchant.id)
    const path = `/webhooks/${endpoint.id}/deliveries`
    const newest = async () => (await merchant.ask('GET', path)).data[0]
    const failed = await until('it has failed', async () => {
      const delivery = await newest()
      return delivery.status === 'RETRYING' && delivery
    })
    assert.deepEqual([failed.attempts, failed.response_status], [1, 500])
    assert.match(failed.error, /answered 500/)
    assert.ok(failed.next_attempt_at > failed.updated_at)
    const { failing_since } = await merchant.ask('GET', `/webhooks/${endpoint.id}`)
    assert.ok(failing_since <= failed.updated_at)

    endpoint.answer(200)
    await advance('PT6S')
    await until('it is delivered', async () => (await newest()).status === 'DELIVERED')
    const { history, ...delivered } = await merchant.ask('GET', `${path}/${failed.delivery_id}`)
    assert.deepEqual([delivered.attempts, 'next_attempt_at' in delivered], [2, false])
    const results = history.map((attempt: Record<string, unknown>) => [
      attempt['number'],
      attempt['response_status'],
    ])
    assert.deepEqual(results, [
      [2, 200],
      [1, 500],
    ])
    await merchant.ask('POST', `${path}/${failed.delivery_id}:resend`)
    await until('it has come again', () => endpoint.received.length === 3)
    const [first, , again] = endpoint.received
    assert.equal(again?.text, first?.text)
  })

  test('that is deleted while its deliveries wait gets none of them', async () => {
    const merchant = await openMerchant(shop)
    const [deleted, kept] = [await listen(merchant), await listen(merchant)]
    deleted.answer(500)
    await emitOf(await shop.ctx(), merchant.id)
    await until('it was tried', () => deleted.received.length === 1)
    await until('its result is noted', async () => {
      const { data } = await merchant.ask('GET', `/webhooks/${deleted.id}/deliveries`)
      return data[0].status === 'RETRYING'
    })
    await merchant.ask('DELETE', `/webhooks/${deleted.id}`)
    await advance('PT6S')
    await emitOf(await shop.ctx(), merchant.id)
    await until('the other one has both', () => kept.received.length === 2)
    const rows = await shop.db
      .selectFrom('deliveries')
      .select(['status', 'due', 'attempts'])
      .where('webhook_id', '=', deleted.id)
      .execute()
    assert.deepEqual(rows, [{ status: 'EXPIRED', due: null, attempts: 1 }])
    assert.equal(deleted.received.length, 1)
  })

  test('that answers 410 is disabled, and its merchant enables it again', async () => {
    const merchant = await openMerchant(shop)
    const endpoint = await listen(merchant)
    endpoint.answer(410)
    await emitOf(await shop.ctx(), merchant.id)
    const shown = () => merchant.ask('GET', `/webhooks/${endpoint.id}`)
    await until('it is disabled', async () => (await shown()).disabled_reason === 'GONE')
    assert.equal((await shown()).enabled, false)
    endpoint.answer(200)
    const on = await merchant.ask('PUT', `/webhooks/${endpoint.id}`, { enabled: true })
    assert.deepEqual([on.enabled, 'failing_since' in on], [true, false])
    await merchant.ask('POST', `/webhooks/${endpoint.id}:ping`)
    await until('the ping has come', () => endpoint.received.at(-1)?.body.event === 'PING')
  })
})

test('endpoints that hang delay neither another merchant nor the tenant', async () => {
  const [slow, quick] = [await openMerchant(shop), await openMerchant(shop)]
  const hanging = [await listen(slow), await listen(slow)]
  const [endpoint, ofTenant] = [await listen(quick), await receive()]
  const subscription = { endpoint: ofTenant.url, events: ['ORDER_REFUNDED'] }
  await shop.request('POST', '/v1/webhooks', subscription)
  for (const one of hanging) one.answer(() => {})
  const running = () => hanging.map((one) => one.running())
  await emitOf(await shop.ctx(), slow.id, 'ORDER_CAPTURED', 30)
  await until('all their calls hang', () => running().every((count) => count === 8))
  await emitOf(await shop.ctx(), quick.id, 'ORDER_REFUNDED', 2)
  await until('both have come', () => endpoint.received.length === 2)
  await until('the tenant has them', () => ofTenant.received.length === 2)
  // A call is given up after ten seconds: the deliveries that have come waited for none.
  assert.deepEqual(running(), [8, 8])
  for (const one of hanging) assert.equal(one.received.length, 8)
})
