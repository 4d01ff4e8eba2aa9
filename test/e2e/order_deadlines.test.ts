import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { eventsOf } from '#events/outbox.ts'
import { auditOrders } from '#merchant/orders/orders.ts'
import { untilQuiet } from '#test/support/inspection/oracle.ts'
import { keepIn } from '#test/support/keeper.ts'
import { openIssuer } from './issuer.ts'
import { authenticate, openShop, type Shop } from './shop.ts'

/** A card of an issuer elsewhere. */
const CARD = { card_number: '4000001234567899', expiry: '12/49', cvv2: '123' }

/** A call of the issuer may take longer than the answer waits for it: the next one waits again. */
async function advance(shop: Shop, duration: string, asked = 0): Promise<void> {
  const { body } = await shop.request('PUT', '/v1/simulate/clock', { advance: duration })
  if (body.running && asked < 10) await advance(shop, 'PT0S', asked + 1)
}

/** The token of the checkout has ended when days have passed. */
async function later(shop: Shop) {
  const { token } = (await authenticate(shop, shop.merchant)).body
  const options = { key: null, headers: { authorization: `Bearer ${token}` } }
  return (method: string, path: string) =>
    shop.request(method, `/api/v1.0${path}`, undefined, options)
}

describe('the policy void', () => {
  test('reminds at 24 h and 2 h, then gives the hold back, and capture is a failure', async () => {
    await using shop = await openShop()
    shop.sweeper.start()
    const card = await shop.customer(50_000n)
    const { order_id, reference } = await shop.order(card)
    const events = async () => (await eventsOf(await shop.ctx(), order_id)).slice(1)

    await advance(shop, 'P3DT23H59M')
    assert.deepEqual(await events(), [])
    await advance(shop, 'PT2M')
    assert.deepEqual(await events(), ['ORDER_CAPTURE_EXPIRING'])
    await advance(shop, 'PT22H')
    assert.deepEqual(await events(), ['ORDER_CAPTURE_EXPIRING', 'ORDER_CAPTURE_EXPIRING'])
    await advance(shop, 'PT2H')
    assert.equal((await events()).at(-1), 'ORDER_EXPIRED')
    assert.equal((await shop.account(card)).held, 0n)

    const call = await later(shop)
    const captured = await call('POST', `/orders/${reference}/capture/`)
    assert.deepEqual([captured.status, captured.body], [200, { status: 'FAILURE', order_id }])
    assert.equal((await call('GET', `/orders/${reference}/`)).body.status, 'OPENED')
    assert.deepEqual(await shop.account(card), { balance: 50_000n, held: 0n })
    assert.deepEqual(await auditOrders(shop.db), [])
  })

  test('a clock that jumps over all deadlines runs them all, in order', async () => {
    await using shop = await openShop({ settings: { capture_window_days: 2 } })
    const { order_id } = await shop.order(await shop.customer(50_000n))
    await advance(shop, 'P9D')
    assert.deepEqual(await eventsOf(await shop.ctx(), order_id), [
      'ORDER_AUTHORIZED',
      'ORDER_CAPTURE_EXPIRING',
      'ORDER_CAPTURE_EXPIRING',
      'ORDER_EXPIRED',
    ])
  })
})

test('a clock that jumps 40 days over open orders leaves no void, event or hold behind', async () => {
  await using shop = await openShop()
  shop.sweeper.start()
  const card = await shop.customer(1_000_000n)
  // More than one portion of deadlines and of advices.
  const orders = []
  for (let made = 0; made < 25; made++) orders.push(await shop.order(card, { total: '10' }))
  await advance(shop, 'P40D')
  await untilQuiet(shop.db)
  // Nothing is named as running any more.
  const { body } = await shop.request('PUT', '/v1/simulate/clock', { advance: 'PT0S' })
  assert.deepEqual(Object.keys(body), ['now'])

  const { rows } = await sql<object>`
    select mti, status, attempts, due, count(*)::int as messages from acquirer_messages
    where mti = '0420' group by mti, status, attempts, due`.execute(shop.db)
  const sent = { mti: '0420', status: 'APPROVED', attempts: 1, due: null, messages: 25 }
  assert.deepEqual(rows, [sent])
  assert.deepEqual(await shop.account(card), { balance: 1_000_000n, held: 0n })
  for (const { order_id } of orders) {
    assert.equal((await eventsOf(await shop.ctx(), order_id)).at(-1), 'ORDER_EXPIRED')
  }
  assert.deepEqual(await auditOrders(shop.db), [])
})

test('the policy capture captures at the deadline', async () => {
  await using shop = await openShop({
    settings: { deadline_policy: 'capture', capture_window_days: 1 },
  })
  shop.sweeper.start()
  const card = await shop.customer(50_000n)
  const { order_id, reference } = await shop.order(card)
  await advance(shop, 'P1D')
  const call = await later(shop)
  const status = async () => (await call('GET', `/orders/${reference}/`)).body.status
  assert.equal(await status(), 'COMPLETED')
  assert.deepEqual(await shop.account(card), { balance: 39_950n, held: 0n })
  assert.deepEqual(await eventsOf(await shop.ctx(), order_id), [
    'ORDER_AUTHORIZED',
    'ORDER_CAPTURE_EXPIRING',
    'ORDER_CAPTURED',
  ])
  assert.deepEqual(await auditOrders(shop.db), [])
})

test('the policy capture waits for an issuer that is away, and then captures', async () => {
  await using opened = new AsyncDisposableStack()
  const issuer = await openIssuer()
  const { port } = issuer
  const settings = { deadline_policy: 'capture', capture_window_days: 1 }
  const shop = opened.use(await openShop({ issuer: port, settings }))
  shop.sweeper.start()
  const { order_id, reference } = await shop.order(CARD)
  const events = async () => (await eventsOf(await shop.ctx(), order_id)).slice(1)
  await issuer.close()

  await advance(shop, 'P1D')
  const call = await later(shop)
  assert.deepEqual(await events(), ['ORDER_CAPTURE_EXPIRING'])
  assert.equal((await call('POST', `/orders/${reference}/capture/`)).status, 409)

  const back = keepIn(opened, await openIssuer(() => '00', { port }))
  await advance(shop, 'PT10M')
  await untilQuiet(shop.db)
  assert.equal((await call('GET', `/orders/${reference}/`)).body.status, 'COMPLETED')
  assert.deepEqual(await events(), ['ORDER_CAPTURE_EXPIRING', 'ORDER_CAPTURED'])
  assert.deepEqual([back.of('0220').length, back.of('0420').length], [1, 0])
  assert.deepEqual(await auditOrders(shop.db), [])
})

test('captures racing with the deadline: one of both, and the money agrees', async () => {
  await using shop = await openShop({ settings: { capture_window_days: 1 } })
  shop.sweeper.start()
  const card = await shop.customer(1_000_000n)
  const orders = []
  for (let made = 0; made < 10; made++) orders.push(await shop.order(card, { total: '10' }))
  await advance(shop, 'PT23H59M59.900S')
  const call = await later(shop)
  const captures = await Promise.all(
    orders.map(({ reference }) => call('POST', `/orders/${reference}/capture/`)),
  )
  await advance(shop, 'PT1S')
  const won = captures.filter(({ body }) => body.status === 'SUCCESS').length
  assert.ok(captures.every(({ status }) => status === 200))
  const left = 1_000_000n - BigInt(won) * 1_000n
  assert.equal((await shop.account(card)).held, 0n)
  assert.deepEqual(await shop.account(card), { balance: left, held: 0n })
  assert.deepEqual(await auditOrders(shop.db), [])
})

test('an issuer that cannot be reached: the customer sees it, and nothing remains to reverse', async () => {
  await using shop = await openShop({ issuer: false })
  const { id, reference } = await shop.checkout()
  const { status, text } = await shop.submit(id, CARD)
  assert.equal(status, 200)
  assert.ok(text.includes('did not answer'))
  assert.equal((await shop.call('GET', `/orders/${reference}/`)).status, 404)
  const { rows } = await shop.dump(['acquirer_messages', 'merchant_vault.cards'])
  assert.ok(rows.includes('UNSENT'))
  assert.equal(rows.includes('0420'), false)
  assert.ok(rows.endsWith('[]'), 'the card is forgotten')
})
