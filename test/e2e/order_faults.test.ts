import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eventsOf } from '#events/outbox.ts'
import { mtiClass } from '#iso8583/mti.ts'
import { parseOriginal } from '#iso8583/original.ts'
import { auditOrders } from '#merchant/orders/orders.ts'
import { keepIn } from '#test/support/keeper.ts'
import { until as untilWithin } from '#test/support/services/receiver.ts'
import { openIssuer } from './issuer.ts'
import { checkoutBody, openShop } from './shop.ts'

const card = { card_number: '4000001234567899', expiry: '12/49', cvv2: '123' }

/** Each test has an issuer and a shop of its own, since most of them wait for an answer in vain. */
async function openScene() {
  await using opened = new AsyncDisposableStack()
  const issuer = keepIn(opened, await openIssuer())
  const shop = opened.use(await openShop({ issuer: issuer.port }))
  shop.sweeper.start()
  const kept = opened.move()
  return {
    issuer,
    shop,
    capture: (reference: string, headers = {}) =>
      shop.call('POST', `/orders/${reference}/capture/`, undefined, headers),
    refund: (reference: string, total: string) =>
      shop.call('POST', `/orders/${reference}/refund/`, { total, currency: 'AED' }),
    order: (reference: string) => shop.call('GET', `/orders/${reference}/`),
    silentTo(mti: string) {
      issuer.script = (message) => (mtiClass(message.mti) === mti ? null : '00')
    },
    advance: (duration: string) => shop.request('PUT', '/v1/simulate/clock', { advance: duration }),
    /** Waits for so many messages of a class, which the sweeps send. */
    sent: (mti: string, count: number) => until(() => issuer.of(mti).length >= count),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

describe('an issuer that does not answer', { concurrency: true }, () => {
  test('an authorization is reversed, the customer sees it, and the next try may pay', async () => {
    await using scene = await openScene()
    const { issuer, shop, order, silentTo, sent } = scene
    silentTo('0100')
    const { id, reference } = await shop.checkout()
    const { status, text } = await shop.submit(id, card)
    assert.equal(status, 200)
    assert.ok(text.includes('being checked'))
    await sent('0420', 1)
    await until(async () => (await shop.page(id)).text.includes('did not answer'))
    const [question] = issuer.of('0100')
    const [reversal] = issuer.of('0420')
    const original = parseOriginal(reversal?.fields[90] ?? '')
    assert.deepEqual(
      [original?.mti, original?.stan, original?.transmitted],
      ['0100', question?.fields[11], question?.fields[7]],
    )
    assert.deepEqual(
      [reversal?.fields[2], reversal?.fields[37], reversal?.fields[39]],
      [card.card_number, question?.fields[37], '68'],
    )
    assert.equal((await order(reference)).status, 404)
    issuer.script = () => '00'
    assert.equal((await shop.submit(id, card)).status, 303)
  })

  test('a capture is sent again, always the same message, and is never taken back', async () => {
    await using scene = await openScene()
    const { issuer, shop, capture, order, silentTo, sent } = scene
    const { reference } = await shop.order(card)
    silentTo('0220')
    const answer = capture(reference)
    await sent('0220', 2)
    assert.equal((await order(reference)).body.status, 'OPENED')
    issuer.script = () => '00'
    assert.equal((await answer).body.status, 'SUCCESS')
    const advices = issuer.of('0220')
    assert.equal(new Set(advices.map(({ fields }) => fields[11])).size, 1)
    assert.deepEqual([...new Set(advices.slice(1).map(({ mti }) => mti))], ['0221'])
    assert.equal(issuer.of('0420').length, 0)
    assert.deepEqual(await auditOrders(shop.db), [])
  })

  test('a refund fails once it is taken back, and may be made again', async () => {
    await using scene = await openScene()
    const { issuer, shop, capture, refund, order, silentTo, sent } = scene
    const { reference } = await shop.order(card)
    await capture(reference)
    silentTo('0200')
    const failed = await refund(reference, '10')
    assert.deepEqual([failed.status, failed.body.status], [200, 'FAILURE'])
    await sent('0420', 1)
    const reversal = issuer.of('0420')[0]
    assert.equal(parseOriginal(reversal?.fields[90] ?? '')?.mti, '0200')
    assert.equal(reversal?.fields[3], '200000')
    assert.equal((await order(reference)).body.total_refund, '0')
    issuer.script = () => '00'
    assert.equal((await refund(reference, '10')).body.status, 'SUCCESS')
  })

  test('a reversal is sent until it is acknowledged, always the same message', async () => {
    await using scene = await openScene()
    const { issuer, shop, advance, sent } = scene
    const acknowledges = () => issuer.of('0420').length >= 3
    issuer.script = ({ mti }) => (mtiClass(mti) === '0100' ? null : acknowledges() ? '25' : '96')
    const { id } = await shop.checkout()
    await shop.submit(id, card)
    for (let count = 1; count <= 3; count++) {
      await sent('0420', count)
      await advance('PT20S')
    }
    await advance('PT5M')
    await shop.sweeper.runDueJobs(shop.tenant.id)
    const advices = issuer.of('0420')
    assert.deepEqual(
      advices.map(({ mti }) => mti),
      ['0420', '0421', '0421'],
    )
    assert.equal(new Set(advices.map(({ fields }) => fields[11])).size, 1)
  })
})

describe('an issuer that declines', { concurrency: true }, () => {
  test('a declined capture and refund are FAILURE and change nothing', async () => {
    await using scene = await openScene()
    const { issuer, shop, capture, refund } = scene
    const { reference, order_id } = await shop.order(card)
    issuer.script = () => '05'
    const headers = { 'idempotency-key': `no ${reference}` }
    const failed = await capture(reference, headers)
    assert.deepEqual([failed.status, failed.body], [200, { status: 'FAILURE', order_id }])
    assert.equal(issuer.of('0420').length, 0)
    issuer.script = () => '00'
    const replayed = await capture(reference, headers)
    assert.equal(replayed.text, failed.text)
    assert.equal((await capture(reference)).body.status, 'SUCCESS')
    issuer.script = () => '57'
    assert.equal((await refund(reference, '1')).body.status, 'FAILURE')
    assert.deepEqual(await eventsOf(await shop.ctx(), order_id), [
      'ORDER_AUTHORIZED',
      'ORDER_CAPTURED',
    ])
  })

  test('that it is still working gets the same message again', async () => {
    await using scene = await openScene()
    const { issuer, shop, capture } = scene
    const { reference } = await shop.order(card)
    issuer.script = () => (issuer.of('0220').length < 3 ? '94' : '00')
    assert.equal((await capture(reference)).body.status, 'SUCCESS')
    assert.deepEqual(
      issuer.of('0220').map(({ mti }) => mti),
      ['0220', '0221', '0221'],
    )
  })
})

test('a line that breaks in mid-question counts as no answer, and is renewed', async () => {
  await using scene = await openScene()
  const { issuer, shop, capture, sent } = scene
  const { reference } = await shop.order(card)
  issuer.script = (message) => (mtiClass(message.mti) === '0220' ? 'cut' : '00')
  const answer = capture(reference)
  await sent('0220', 1)
  issuer.script = () => '00'
  assert.equal((await answer).body.status, 'SUCCESS')
  assert.ok(issuer.of('0220').length > 1)
})

describe('an operation that broke off', { concurrency: true }, () => {
  test('a capture is finished by the next request, with the same message', async () => {
    await using scene = await openScene()
    const { issuer, shop, capture, order, silentTo, advance, sent } = scene
    const { reference, order_id } = await shop.order(card)
    silentTo('0220')
    const first = capture(reference)
    await sent('0220', 1)
    issuer.script = () => '00'
    await advance('PT10S')
    await sent('0220', 2)
    assert.deepEqual(
      issuer.of('0220').map(({ mti }) => mti),
      ['0220', '0221'],
    )
    assert.equal((await first).body.status, 'SUCCESS')
    assert.equal((await order(reference)).body.status, 'COMPLETED')
    assert.deepEqual(await eventsOf(await shop.ctx(), order_id), [
      'ORDER_AUTHORIZED',
      'ORDER_CAPTURED',
    ])
    assert.equal(issuer.of('0420').length, 0)
    assert.deepEqual(await auditOrders(shop.db), [])
  })

  test('a payment is taken back, since the CVV2 is kept nowhere', async () => {
    await using scene = await openScene()
    const { issuer, shop, silentTo, advance, sent } = scene
    silentTo('0100')
    const { id } = await shop.checkout()
    const paying = shop.submit(id, card)
    await sent('0100', 1)
    assert.ok((await shop.page(id)).text.includes('being processed'))
    await advance('PT20S')
    await sent('0420', 1)
    await until(async () => (await shop.page(id)).text.includes('did not answer'))
    assert.equal((await paying).status, 200)
    assert.equal(issuer.of('0420').length, 1)
    assert.equal(issuer.of('0100').length, 1)
  })

  test('a checkout whose payment is under way is not superseded until that is known', async () => {
    await using scene = await openScene()
    const { issuer, shop, silentTo, sent } = scene
    silentTo('0100')
    const { id, reference } = await shop.checkout()
    const paying = shop.submit(id, card)
    await sent('0100', 1)
    const key = { 'idempotency-key': `second ${reference}` }
    const body = { ...checkoutBody(), reference }
    const rejected = await shop.call('POST', '/checkouts/', body, key)
    assert.deepEqual([rejected.status, Object.keys(rejected.body)], [409, ['detail']])
    await sent('0420', 1)
    await paying
    await until(async () => (await shop.call('POST', '/checkouts/', body, key)).status === 201)
    const again = await shop.call('POST', '/checkouts/', body, key)
    const second = new URL(again.body.checkout_url).searchParams.get('id') ?? ''
    issuer.script = () => '00'
    assert.equal((await shop.submit(second, card)).status, 303)
    assert.equal((await shop.page(id)).status, 410)
  })
})

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  await untilWithin(String(holds), holds)
}
