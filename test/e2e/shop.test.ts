import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { eventsOf } from '#events/outbox.ts'
import { auditAll } from '#src/audit/audits.ts'
import { openShop } from './shop.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

describe('a purchase over the wire', () => {
  test('is held, captured and refunded to the last fils', async () => {
    const card = await shop.customer(50_000n)
    const order = await shop.order(card, { total: '100.5000' })
    assert.equal(order.status, 'OPENED')
    assert.deepEqual(await shop.account(card), { balance: 50_000n, held: 10_050n })

    const captured = await shop.call('POST', `/orders/${order.reference}/capture/`)
    assert.equal(captured.status, 200, captured.text)
    assert.deepEqual(captured.body, {
      status: 'SUCCESS',
      order_id: order.order_id,
      amount: '100.5000',
      currency: 'AED',
      type: 'CAPTURE',
    })
    assert.deepEqual(await shop.account(card), { balance: 39_950n, held: 0n })

    const refund = { total: '40.25', currency: 'AED' }
    const refunded = await shop.call('POST', `/orders/${order.reference}/refund/`, refund)
    assert.equal(refunded.body.status, 'SUCCESS', refunded.text)
    assert.deepEqual(await shop.account(card), { balance: 43_975n, held: 0n })

    const after = (await shop.call('GET', `/orders/${order.reference}/`)).body
    assert.equal(after.status, 'COMPLETED')
    assert.equal(after.total_refund, '40.2500')
    const events = await eventsOf(await shop.ctx(), order.order_id)
    assert.deepEqual(events, ['ORDER_AUTHORIZED', 'ORDER_CAPTURED', 'ORDER_REFUNDED'])
    assert.deepEqual(await auditAll(shop.db), [])
  })
})
