/** Orders in currencies of zero, two and three decimals, paid by cards whose accounts are in AED. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { auditAll } from '#src/audit/audits.ts'
import { openShop } from './shop.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

const FUNDS = 500_000n

type Case = {
  currency: string
  rate: string
  total: string
  /** The amounts of the capture and of two refunds, in major units. */
  captured: string
  refunds: [string, string]
  /** Minor units of AED: held, then posted, then given back by each refund. */
  held: bigint
  posted: bigint
  back: [bigint, bigint]
}

const cases: Case[] = [
  {
    currency: 'JPY',
    rate: '0.025',
    total: '1234',
    captured: '1001',
    // 30.85 AED are held. 233 JPY release 5.825 of them, which is rounded to 5.82 (D-456).
    held: 3_085n,
    posted: 2_503n,
    // 667 of 1001 JPY are 16.678… AED, which the first refund leaves.
    refunds: ['334', '667'],
    back: [835n, 1_668n],
  },
  {
    currency: 'KWD',
    rate: '11.9',
    total: '10.005',
    captured: '10.005',
    // 119.0595 AED.
    held: 11_906n,
    posted: 11_906n,
    refunds: ['0.005', '10'],
    back: [6n, 11_900n],
  },
  {
    currency: 'USD',
    rate: '3.6725',
    total: '99.98',
    captured: '99.98',
    // 367.17655 AED.
    held: 36_718n,
    posted: 36_718n,
    refunds: ['49.99', '49.99'],
    back: [18_359n, 18_359n],
  },
]

before(async () => {
  const rates = cases.map(({ currency: from, rate }) => ({ from, to: 'AED', rate }))
  const key = shop.operator_key
  const set = await shop.request('PUT', '/v1/operator/rates', { rates }, { key })
  assert.equal(set.status, 200, set.text)
})

for (const { currency, total, captured, refunds, held, posted, back } of cases) {
  describe(`an order in ${currency} by a card in AED`, () => {
    test('is held, captured and refunded in both, and comes to zero in both books', async () => {
      const card = await shop.customer(FUNDS)
      const { reference, order_id } = await shop.order(card, { total, currency })
      const path = `/orders/${reference}`
      assert.deepEqual(await shop.account(card), { balance: FUNDS, held })

      const taken = await shop.call('POST', `${path}/capture`, { total: captured })
      assert.partialDeepStrictEqual(taken.body, { status: 'SUCCESS', order_id, currency })
      assert.equal(Number(taken.body.amount), Number(captured))
      assert.deepEqual(await shop.account(card), { balance: FUNDS - posted, held: 0n })

      let given = 0n
      for (const [at, amount] of refunds.entries()) {
        const refund = await shop.call('POST', `${path}/refund`, { total: amount, currency })
        assert.equal(refund.body.status, 'SUCCESS', refund.text)
        given += back[at] ?? 0n
        const account = await shop.account(card)
        assert.deepEqual(account, { balance: FUNDS - posted + given, held: 0n })
      }
      assert.equal(given, posted, 'all refunds together are what was posted')
      const order = (await shop.call('GET', path)).body
      assert.equal(Number(order.total_refund), Number(captured))
      const more = await shop.call('POST', `${path}/refund`, { total: '0.01', currency })
      assert.equal(more.status, 406)
      assert.deepEqual(await auditAll(shop.db), [])
    })
  })
}

test('an amount with more decimals than its currency is rounded half-even on the card', async () => {
  const card = await shop.customer(FUNDS)
  const order = await shop.order(card, { total: '20.5', currency: 'JPY' })
  // 20 JPY are 0.50 AED; 21 would be 0.525.
  assert.equal((await shop.account(card)).held, 50n)
  const taken = await shop.call('POST', `/orders/${order.reference}/capture`)
  assert.equal(taken.body.status, 'SUCCESS', taken.text)
  assert.deepEqual(await shop.account(card), { balance: FUNDS - 50n, held: 0n })
})
