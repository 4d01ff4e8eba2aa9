/** The list of a shop's orders. */

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { asAnother, openShop } from './shop.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

const card = await shop.customer(100_000_000n)
const rates = [{ from: 'USD', to: 'AED', rate: '3.6725' }]
const body = { tenant_id: shop.tenant.id, rates }
await shop.request('PUT', '/v1/operator/rates', body, { key: shop.operator_key })
const list = async (query = '') => {
  const { status, body, text } = await shop.call('GET', `/orders?${query}`)
  assert.equal(status, 200, text)
  return body
}
/** An order that is captured, and refunded by so much. */
async function refunded(total: string): Promise<string> {
  const { reference } = await shop.order(card)
  await shop.call('POST', `/orders/${reference}/capture`)
  const body = { total, currency: 'AED' }
  const { text } = await shop.call('POST', `/orders/${reference}/refund`, body)
  assert.match(text, /"SUCCESS"/)
  return reference
}
const referencesOf = ({ data }: { data: { reference: string }[] }) =>
  data.map(({ reference }) => reference)

describe('GET /orders', () => {
  test('200 for none', async () => {
    assert.deepEqual(await list(), { data: [], has_more: false })
  })

  test('200 newest first, by pages, each as it is by itself', async () => {
    const made = [await shop.order(card), await shop.order(card), await shop.order(card)]
    const newest = made.map(({ reference }) => reference).toReversed()
    const first = await list('limit=2')
    assert.deepEqual([referencesOf(first), first.has_more], [newest.slice(0, 2), true])
    assert.deepEqual(first.data[0], made[2])
    const rest = await list(`limit=2&after=${first.after}`)
    assert.deepEqual([referencesOf(rest), rest.has_more], [newest.slice(2), false])
  })

  test('200 by status, reference and time', async () => {
    const [open, captured] = [await shop.order(card), await shop.order(card)]
    const done = await shop.call('POST', `/orders/${captured.reference}/capture`)
    assert.equal(done.body.status, 'SUCCESS')
    assert.deepEqual(referencesOf(await list('status=COMPLETED')), [captured.reference])
    assert.ok(referencesOf(await list('status=OPENED')).includes(open.reference))
    assert.ok(!referencesOf(await list('status=OPENED')).includes(captured.reference))
    const named = await list(`reference=${open.reference}`)
    assert.deepEqual(referencesOf(named), [open.reference])
    assert.deepEqual(referencesOf(await list('reference=none')), [])
    const from = encodeURIComponent(open.created_at)
    assert.deepEqual(referencesOf(await list(`from=${from}`)), [captured.reference, open.reference])
    assert.ok(!referencesOf(await list(`to=${from}`)).includes(open.reference))
    assert.deepEqual(await list(`from=${from}&to=${from}`), { data: [], has_more: false })
  })

  test('200 by currency, total, refunds and the e-mail of the customer', async () => {
    const from = encodeURIComponent((await shop.order(card)).created_at)
    const other = { total: '7.5', order: { customer: { email: 'Huda@Palm.example' } } }
    const small = await shop.order(card, other)
    const dollars = await shop.order(card, { total: '20', currency: 'USD' })
    const [part, whole] = [await refunded('1.00'), await refunded('100.50')]
    const found = async (query: string) => referencesOf(await list(`from=${from}&${query}`))
    assert.deepEqual(await found('currency=USD'), [dollars.reference])
    assert.deepEqual(await found('max_total=7.5'), [small.reference])
    assert.deepEqual(await found('min_total=7.5001&max_total=20'), [dollars.reference])
    assert.deepEqual(await found('email=huda@palm.EXAMPLE'), [small.reference])
    const marked = `email=${encodeURIComponent('\u200fhuda@palm.example\u00a0')}`
    assert.deepEqual(await found(marked), [small.reference])
    assert.deepEqual(await found('refund=partial'), [part])
    assert.deepEqual(await found('refund=full'), [whole])
    assert.equal((await found('refund=none')).length, 3)
    assert.deepEqual(await found('refund=full&currency=USD'), [])
  })

  test('400 for filters and cursors that are none', async () => {
    const words = ['status=PAID', 'from=yesterday', 'reference=', 'after=x', 'limit=0']
    const amounts = ['min_total=-1', 'max_total=1.00001', `min_total=${'9'.repeat(12)}`]
    for (const query of [
      ...words,
      ...amounts,
      'currency=aed',
      'refund=some',
      'email=',
      'email=%E2%80%8F',
    ]) {
      assert.equal((await shop.call('GET', `/orders?${query}`)).status, 400, query)
    }
  })

  test('401 without a token', async () => {
    const answer = await shop.request('GET', '/api/v1.0/orders', undefined, { key: null })
    assert.equal(answer.status, 401)
  })

  test('200 without the orders of another merchant of the tenant', async () => {
    assert.deepEqual(await asAnother(shop, '/orders'), { data: [], has_more: false })
  })
})

describe('GET /orders:totals', () => {
  const totals = async (query: string) => {
    const { status, body, text } = await shop.call('GET', `/orders:totals?${query}`)
    assert.equal(status, 200, text)
    return body.data
  }

  test('200 the sums of what the list finds, for each currency', async () => {
    const email = 'sums@palm.example'
    const order = { customer: { email } }
    const [first] = [await shop.order(card, { order }), await shop.order(card, { order })]
    await shop.order(card, { order, total: '3.5', currency: 'USD' })
    await shop.call('POST', `/orders/${first.reference}/capture`, { total: '90.1234' })
    const body = { total: '10', currency: 'AED' }
    await shop.call('POST', `/orders/${first.reference}/refund`, body)
    assert.deepEqual(await totals(`email=${email}`), [
      {
        currency: 'AED',
        count: 2,
        authorized: '201.0000',
        captured: '90.1234',
        refunded: '10.0000',
      },
      {
        currency: 'USD',
        count: 1,
        authorized: '3.5000',
        captured: '0.0000',
        refunded: '0.0000',
      },
    ])
    assert.equal((await totals(`email=${email}&status=COMPLETED`))[0].count, 1)
  })

  test('200 for none, and for another merchant of the tenant', async () => {
    assert.deepEqual(await totals('reference=none'), [])
    assert.deepEqual(await asAnother(shop, '/orders:totals'), { data: [] })
  })

  test('400 for filters that are none, and for a page', async () => {
    for (const query of ['status=PAID', 'limit=1', 'after=x']) {
      assert.equal((await shop.call('GET', `/orders:totals?${query}`)).status, 400, query)
    }
  })

  test('401 without a token', async () => {
    const answer = await shop.request('GET', '/api/v1.0/orders:totals', undefined, { key: null })
    assert.equal(answer.status, 401)
  })
})
