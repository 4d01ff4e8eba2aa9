/** Refunds and chargebacks of one order: the shop never gives back more than it captured (D-1370). */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openDatabase } from '#kit/db/database.ts'
import { ApiError } from '#lib/result.ts'
import { recordChargeback } from '#merchant/chargebacks/chargebacks.ts'
import { refundOrder } from '#merchant/orders/orders.ts'
import { auditAll } from '#src/audit/audits.ts'
import { untilQuiet } from '#test/support/inspection/oracle.ts'
import { keeper, keepIn } from '#test/support/keeper.ts'
import { until } from '#test/support/services/receiver.ts'
import { linkTo } from './issuer.ts'
import { openLossyLine } from './lossy.ts'
import { openShop } from './shop.ts'

const keep = keeper()
const shop = keep(await openShop())
const customer = await shop.customer(1_000_000n)

/** A captured order of 100.00 AED, and the card transaction that paid it. */
async function captured() {
  const { reference } = await shop.order(customer, { total: '100.00' })
  const done = await shop.call('POST', `/orders/${reference}/capture`, { total: '100.00' })
  assert.equal(done.body.status, 'SUCCESS', done.text)
  const { body } = await shop.request('GET', `/v1/transactions?card_id=${customer.card_id}`)
  return { reference: String(reference), transaction_id: String(body.data[0].id) }
}

const refund = (reference: string, total: string) =>
  shop.call('POST', `/orders/${reference}/refund`, { total, currency: 'AED' })
const operate = (path: string, body: object) =>
  shop.request('POST', `/v1/operator/${path}`, body, { key: shop.operator_key })
const chargeBack = (reference: string, amount: number) =>
  operate('chargebacks', { merchant_id: shop.merchant.id, reference, reason: 'Fraud', amount })

describe('an order that is charged back', () => {
  test('is not refunded, and is again once the shop has won', async () => {
    const { reference } = await captured()
    const { body: taken } = await chargeBack(reference, 100)
    const refused = await refund(reference, '0.01')
    assert.equal(refused.status, 406, refused.text)
    assert.match(refused.text, /card network took the amount back/)
    await operate(`chargebacks/${taken.dispute_id}:record`, { step: 'WIN' })
    assert.equal((await refund(reference, '100.00')).body.status, 'SUCCESS')
  })

  test('in part is refunded up to what is left, and no more once it is lost', async () => {
    const { reference } = await captured()
    const { body: taken } = await chargeBack(reference, 60)
    const more = await refund(reference, '40.01')
    assert.equal(more.status, 406, more.text)
    assert.match(more.text, /40\.00 AED is left to refund/)
    assert.equal((await refund(reference, '40.00')).body.status, 'SUCCESS')
    await operate(`chargebacks/${taken.dispute_id}:record`, { step: 'LOSE' })
    assert.equal((await refund(reference, '1.00')).status, 406)
  })

  test('is refunded by the part that it has won', async () => {
    const { reference, transaction_id } = await captured()
    const input = { transaction_id, reason: 'NOT_RECEIVED', explanation: 'It never came.' }
    const { body: opened } = await shop.request('POST', '/v1/disputes', input)
    await shop.request('POST', `/v1/disputes/${opened.id}:submit`, {})
    const path = `/v1/simulate/disputes/${opened.id}`
    await shop.request('POST', `${path}:represent`, { amount: 60 })
    assert.equal((await refund(reference, '1.00')).status, 406)
    await shop.request('POST', `/v1/disputes/${opened.id}:accept`, {})
    assert.equal((await refund(reference, '60.01')).status, 406)
    assert.equal((await refund(reference, '60.00')).body.status, 'SUCCESS')
  })
})

test('a dispute behind a refund is about what is left, at both sides', async () => {
  const { reference, transaction_id } = await captured()
  await refund(reference, '70.00')
  const input = { transaction_id, reason: 'NOT_RECEIVED', explanation: 'It never came.' }
  const more = await shop.request('POST', '/v1/disputes', { ...input, amount: 30.01 })
  assert.equal(more.body.code, 'dispute_exceeds_amount', more.text)
  const { body: opened } = await shop.request('POST', '/v1/disputes', input)
  assert.equal(opened.amount, 30)
  await shop.request('POST', `/v1/disputes/${opened.id}:submit`, {})
  await operate(`disputes/${opened.id}:record`, { step: 'SENT' })
  const { body } = await shop.call('GET', `/disputes/?reference=${reference}`)
  assert.deepEqual(
    body.data.map(({ amount }: { amount: string }) => amount),
    ['30.0000'],
  )
})

test('refunds and chargebacks at two processes never take more than was captured', async () => {
  const { db } = keep(openDatabase(shop.url, 4))
  const link = keep(linkTo(shop.issuer_port, shop.log))
  /** The amount that a request in the second process has moved, in major units. */
  const there = async (work: () => Promise<number>) => {
    try {
      return await work()
    } catch (error) {
      if (error instanceof ApiError) return 0
      throw error
    }
  }
  const context = async () => ({ ...(await shop.ctx()), db })
  const actor = { kind: 'merchant', id: shop.merchant.id } as const
  const refundThere = (reference: string) =>
    there(async () => {
      const requested = { total: '30.00', currency: 'AED' }
      const ctx = { ...(await context()), actor }
      return (await refundOrder(ctx, link, reference, requested)).status === 'SUCCESS' ? 30 : 0
    })
  const chargeBackThere = (reference: string) =>
    there(async () => {
      const of = { merchant_id: shop.merchant.id, reference, reason: 'Fraud', amount: 40 }
      await recordChargeback(await context(), of)
      return 40
    })
  const refundHere = async (reference: string) =>
    (await refund(reference, '30.00')).body.status === 'SUCCESS' ? 30 : 0
  const chargeBackHere = async (reference: string) =>
    (await chargeBack(reference, 40)).status === 200 ? 40 : 0
  for (let round = 0; round < 5; round += 1) {
    const { reference } = await captured()
    const moved = await Promise.all([
      refundHere(reference),
      chargeBackThere(reference),
      refundThere(reference),
      chargeBackHere(reference),
      refundHere(reference),
      chargeBackThere(reference),
    ])
    const sum = moved.reduce((all, one) => all + one, 0)
    assert.ok(sum >= 40 && sum <= 100, moved.join(' '))
  }
})

test('a refund without an answer counts, until it is known to have failed', async () => {
  await using opened = new AsyncDisposableStack()
  const other = opened.use(await openShop())
  const line = keepIn(opened, await openLossyLine(other.issuer_port))
  other.connectTo(line.port)
  other.sweeper.start()
  const { reference } = await other.order(await other.customer(20_000n), { total: '100.00' })
  await other.call('POST', `/orders/${reference}/capture`)
  line.lost = new Set(['0210', '0430'])
  const all = { total: '100.00', currency: 'AED' }
  const refunding = other.call('POST', `/orders/${reference}/refund`, all)
  await until('a refund in doubt', async () => {
    const doubted = other.db
      .selectFrom('order_operations')
      .select('id')
      .where('in_doubt', '=', true)
    return (await doubted.execute()).length > 0
  })
  const body = { merchant_id: other.merchant.id, reference, reason: 'Fraud', amount: 1 }
  const taking = () =>
    other.request('POST', '/v1/operator/chargebacks', body, { key: other.operator_key })
  assert.equal((await taking()).body.code, 'chargeback_exceeds_order')
  line.lost.clear()
  await refunding
  const statuses = other.db.selectFrom('order_operations').select('status')
  await until('an outcome', async () => {
    const found = await statuses.where('type', '=', 'REFUND').execute()
    return found.every(({ status }) => status === 'FAILURE')
  })
  assert.equal((await taking()).status, 200)
  await untilQuiet(other.db)
  assert.deepEqual(await auditAll(other.db, true), [])
})

test('a chargeback beside a refund that fails later takes all of its dispute', async () => {
  for (const [first, taken] of [
    ['100.00', []],
    ['70.00', ['30.0000']],
  ] as const) {
    await using opened = new AsyncDisposableStack()
    const other = opened.use(await openShop())
    const line = keepIn(opened, await openLossyLine(other.issuer_port))
    other.connectTo(line.port)
    other.sweeper.start()
    const payer = await other.customer(20_000n)
    const { reference } = await other.order(payer, { total: '100.00' })
    await other.call('POST', `/orders/${reference}/capture`)
    const { body: paid } = await other.request('GET', `/v1/transactions?card_id=${payer.card_id}`)
    line.lost = new Set(['0200', '0210', '0420', '0430'])
    const part = { total: first, currency: 'AED' }
    const refunding = other.call('POST', `/orders/${reference}/refund`, part)
    await until('a refund in doubt', async () => {
      const doubted = other.db.selectFrom('order_operations').where('in_doubt', '=', true)
      return (await doubted.select('id').execute()).length > 0
    })
    const input = { reason: 'NOT_RECEIVED', explanation: 'It never came.' }
    const transaction_id = paid.data[0].id
    const opening = await other.request('POST', '/v1/disputes', { transaction_id, ...input })
    const { id, amount } = opening.body
    assert.equal(amount, 100, opening.text)
    await other.request('POST', `/v1/disputes/${id}:submit`, {})
    const sent = { step: 'SENT' }
    const key = other.operator_key
    await other.request('POST', `/v1/operator/disputes/${id}:record`, sent, { key })
    const amounts = async () => {
      const { body } = await other.call('GET', `/disputes/?reference=${reference}`)
      return body.data.map((one: { amount: string }) => one.amount)
    }
    assert.deepEqual(await amounts(), taken)
    line.lost.clear()
    await refunding
    await until('all of it is taken', async () => {
      await other.sweeper.runDueJobs(other.tenant.id)
      return (await amounts()).join() === '100.0000'
    })
    await untilQuiet(other.db)
    assert.deepEqual(await auditAll(other.db, true), [])
  }
})

test('doctor finds nothing then', async () => assert.deepEqual(await auditAll(shop.db, true), []))
