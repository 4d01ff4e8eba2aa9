/** The list of a shop's orders. */

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { openShop } from './shop.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

const card = await shop.customer(100_000_000n)
const list = async (query = '') => {
  const { status, body, text } = await shop.call('GET', `/orders?${query}`)
  assert.equal(status, 200, text)
  return body
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

  test('400 for filters and cursors that are none', async () => {
    for (const query of ['status=PAID', 'from=yesterday', 'reference=', 'after=x', 'limit=0']) {
      assert.equal((await shop.call('GET', `/orders?${query}`)).status, 400, query)
    }
  })

  test('401 without a token', async () => {
    const answer = await shop.request('GET', '/api/v1.0/orders', undefined, { key: null })
    assert.equal(answer.status, 401)
  })

  test('200 without the orders of another merchant of the tenant', async () => {
    const { id } = (
      await shop.request(
        'POST',
        '/v1/operator/merchants',
        { tenant_id: shop.tenant.id, name: 'Other' },
        { key: shop.operator_key },
      )
    ).body
    const keys = `/v1/operator/merchants/${id}/keys`
    const pair = (await shop.request('POST', keys, undefined, { key: shop.operator_key })).body
    const authentication = '/api/v1.0/merchant/authentication/'
    const { token } = (await shop.request('POST', authentication, pair, { key: null })).body
    const headers = { authorization: `Bearer ${token}` }
    const { body } = await shop.request('GET', '/api/v1.0/orders', undefined, {
      key: null,
      headers,
    })
    assert.deepEqual(body, { data: [], has_more: false })
  })
})
