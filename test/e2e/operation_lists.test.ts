/** The lists of a shop's captures and refunds. */

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { asAnother, openShop } from './shop.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

const card = await shop.customer(100_000_000n)
const list = async (path: string) => {
  const { status, body, text } = await shop.call('GET', path)
  assert.equal(status, 200, text)
  return body
}
type Listed = { data: { reference: string; amount: string }[] }
const referencesOf = ({ data }: Listed) => data.map(({ reference }) => reference)
const amountsOf = ({ data }: Listed) => data.map(({ amount }) => amount)

const capture = async (total?: string) => {
  const order = await shop.order(card)
  const done = await shop.call('POST', `/orders/${order.reference}/capture`, { total })
  assert.equal(done.body.status, 'SUCCESS', done.text)
  return order
}
const refund = async (reference: string, total: string) => {
  const path = `/orders/${reference}/refund`
  const done = await shop.call('POST', path, { total, currency: 'AED' })
  assert.equal(done.body.status, 'SUCCESS', done.text)
  return done.body
}

for (const [path, type] of [
  ['/captures', 'CAPTURE'],
  ['/refunds', 'REFUND'],
] as const) {
  const make = async (total: string) => {
    const order = await capture(type === 'CAPTURE' ? total : undefined)
    if (type === 'REFUND') await refund(order.reference, total)
    return order
  }

  describe(`GET ${path}`, () => {
    test('200 newest first, by pages, each with its order', async () => {
      const [first, second, third] = [await make('1'), await make('2.5'), await make('3')]
      const page = await list(`${path}?limit=2`)
      assert.deepEqual([amountsOf(page), page.has_more], [['3.0000', '2.5000'], true])
      const { transaction_id, created_at, updated_at, ...shown } = page.data[1]
      assert.deepEqual(shown, {
        type,
        status: 'SUCCESS',
        order_id: second.order_id,
        reference: second.reference,
        order_number: second.order_number,
        amount: '2.5000',
        currency: 'AED',
        fee: '0.0000',
      })
      assert.match(transaction_id, /^[0-9a-f-]{36}$/)
      assert.ok(created_at >= second.created_at && updated_at >= created_at)
      const rest = await list(`${path}?limit=2&after=${page.after}`)
      assert.deepEqual([referencesOf(rest), rest.has_more], [[first.reference], false])
      assert.equal(page.data[0].order_id, third.order_id)
    })

    test('200 by status, reference, currency and time', async () => {
      const made = await make('4')
      const [{ created_at }] = (await list(`${path}?limit=1`)).data
      const found = async (query: string) => referencesOf(await list(`${path}?${query}`))
      assert.deepEqual(await found(`reference=${made.reference}`), [made.reference])
      assert.deepEqual(await found('reference=none'), [])
      assert.deepEqual(await found('currency=USD'), [])
      assert.equal((await found('currency=AED&status=SUCCESS')).length, 4)
      assert.deepEqual(await found('status=FAILURE'), [])
      assert.deepEqual(await found('status=PENDING'), [])
      const from = encodeURIComponent(created_at)
      assert.deepEqual(await found(`from=${from}`), [made.reference])
      assert.equal((await found(`to=${from}`)).length, 3)
    })

    test('200 one that failed, by its status', async () => {
      const order = await make('5')
      await sql`
        update order_operations set status = 'FAILURE', booked = null, payable = null
        where tenant_id = ${shop.tenant.id} and order_id = ${order.order_id} and type = ${type}
      `.execute(shop.db)
      const failed = await list(`${path}?status=FAILURE`)
      assert.deepEqual(referencesOf(failed), [order.reference])
      assert.equal(failed.data[0].status, 'FAILURE')
    })

    test('200 without those of another merchant of the tenant', async () => {
      assert.deepEqual(await asAnother(shop, path), { data: [], has_more: false })
    })

    test('400 for filters and cursors that are none', async () => {
      for (const query of ['status=PAID', 'from=now', 'reference=', 'after=x', 'currency=A']) {
        assert.equal((await shop.call('GET', `${path}?${query}`)).status, 400, query)
      }
    })

    test('401 without a token', async () => {
      const answer = await shop.request('GET', `/api/v1.0${path}`, undefined, { key: null })
      assert.equal(answer.status, 401)
    })
  })
}

test('a refund has the transaction id that its answer had', async () => {
  const { reference } = await capture()
  const { transaction_id } = await refund(reference, '6')
  const { data } = await list(`/refunds?reference=${reference}`)
  assert.equal(data[0].transaction_id, transaction_id)
})
