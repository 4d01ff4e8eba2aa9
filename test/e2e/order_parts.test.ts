/** Several captures of one order (D-780 to D-784), with the issuer's book after each step. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { eventsOf } from '#events/outbox.ts'
import { auditAll } from '#src/audit/audits.ts'
import { callsOf } from './parts.ts'
import { openShop } from './shop.ts'

const FUNDS = 500_000n
const shop = await openShop({ settings: { partial_captures: true } })
after(() => shop[Symbol.asyncDispose]())
const { capture, refund, order: orderOf, messages, booked } = callsOf(shop)
const card = await shop.customer(FUNDS * 100n)
const assertSound = async () => assert.deepEqual(await auditAll(shop.db, true), [])

describe('an order of a merchant with partial captures', () => {
  test('is captured in parts, then refunded, and each step agrees at the issuer', async () => {
    const own = await shop.customer(FUNDS)
    const { order_id, reference, total_captured } = await shop.order(own)
    assert.equal(total_captured, '0')
    const steps: [body: object, amount: string, captured: bigint, final: boolean][] = [
      [{ total: '60.0050', currency: 'AED' }, '60.0050', 6_000n, false],
      [{ total: 20, final: false }, '20.0000', 8_000n, false],
      [{}, '20.4950', 10_050n, true],
    ]
    for (const [body, amount, captured, final] of steps) {
      const answer = await capture(reference, body)
      const result = { status: 'SUCCESS', order_id, amount, currency: 'AED', type: 'CAPTURE' }
      assert.deepEqual(answer.body, { ...result, final }, answer.text)
      const held = 10_050n - captured
      assert.deepEqual(await shop.account(own), { balance: FUNDS - captured, held })
      assert.equal((await orderOf(reference)).status, final ? 'COMPLETED' : 'OPENED')
      assert.equal((await refund(reference, '1000')).status, final ? 400 : 406)
      const status = final ? 'SETTLED' : 'PENDING'
      const { events: _, ...row } = (await booked(order_id)) ?? assert.fail()
      assert.deepEqual(row, { status, amount: 10_050n, cleared_amount: captured, held })
      await assertSound()
    }
    assert.equal((await orderOf(reference)).total_captured, '100.5000')
    assert.equal((await capture(reference)).status, 406)
    assert.deepEqual(await messages(order_id), ['0100', '0220', '0220', '0220'])
    assert.equal((await refund(reference, '70')).body.status, 'SUCCESS')
    assert.equal((await refund(reference, '30.5001')).status, 400)
    assert.equal((await refund(reference, '30.5')).body.status, 'SUCCESS')
    assert.equal((await refund(reference, '1')).status, 406)
    assert.deepEqual(await shop.account(own), { balance: FUNDS, held: 0n })
    await assertSound()
  })

  test('is completed by a part that says so, which releases the rest', async () => {
    const own = await shop.customer(FUNDS)
    const { order_id, reference } = await shop.order(own)
    await capture(reference, { total: '10' })
    const last = await capture(reference, { total: '20.25', final: true })
    assert.deepEqual([last.body.status, last.body.final], ['SUCCESS', true])
    assert.deepEqual(await shop.account(own), { balance: FUNDS - 3_025n, held: 0n })
    const order = await orderOf(reference)
    assert.deepEqual([order.status, order.total_captured], ['COMPLETED', '30.2500'])
    assert.deepEqual(await messages(order_id), ['0100', '0220', '0220', '0420'])
    assert.deepEqual(await booked(order_id), {
      status: 'SETTLED',
      amount: 3_025n,
      cleared_amount: 3_025n,
      held: 0n,
      events: ['AUTHORIZED 10050', 'CLEARED 1000', 'CLEARED 2025', 'REVERSED 7025'],
    })
    assert.equal((await refund(reference, '30.2501')).status, 400)
    assert.equal((await refund(reference, '30.25')).body.status, 'SUCCESS')
    assert.deepEqual(await shop.account(own), { balance: FUNDS, held: 0n })
    await assertSound()
  })

  test('refuses more than what is left, and changes nothing by it', async () => {
    const { reference } = await shop.order(card)
    await capture(reference, { total: '60' })
    for (const body of [{ total: '40.5001' }, { total: '100.50' }, { total: 0 }]) {
      const answer = await capture(reference, body)
      assert.deepEqual([answer.status, Object.keys(answer.body)], [400, ['total']], answer.text)
    }
    const answer = await capture(reference, { final: 'yes' })
    assert.deepEqual([answer.status, Object.keys(answer.body)], [400, ['final']])
    assert.equal((await orderOf(reference)).total_captured, '60.0000')
    assert.equal((await capture(reference, { total: '40.5' })).body.final, true)
  })

  test('answers a repeated part under its key with the same bytes, and captures it once', async () => {
    const { reference, order_id } = await shop.order(card)
    const key = { 'idempotency-key': `part of ${reference}` }
    const first = await capture(reference, { total: '10' }, key)
    const again = await capture(reference, { total: '10' }, key)
    assert.deepEqual([again.text, again.headers['idempotent-replayed']], [first.text, 'true'])
    assert.equal((await capture(reference, { total: '10', final: true }, key)).status, 409)
    assert.equal((await orderOf(reference)).total_captured, '10.0000')
    assert.equal((await capture(reference, { total: '10' })).body.status, 'SUCCESS')
    const events = await eventsOf(await shop.ctx(), order_id)
    assert.deepEqual(events, ['ORDER_AUTHORIZED', 'ORDER_CAPTURED', 'ORDER_CAPTURED'])
    const { body } = await shop.request('GET', `/v1/objectevents?object_id=${order_id}`)
    const captured = body.data.filter(({ event }: { event: string }) => event === 'ORDER_CAPTURED')
    assert.deepEqual(
      captured.map(({ amount, total_captured, final, status }: Record<string, unknown>) => [
        ...[amount, total_captured, final, status],
      ]),
      [
        ['10.0000', '20.0000', false, 'OPENED'],
        ['10.0000', '10.0000', false, 'OPENED'],
      ],
    )
  })
})

describe('the setting', () => {
  test('holds for orders from then on, and an order keeps what it was paid under', async () => {
    const set = async (partial_captures: boolean) => {
      const path = `/v1/operator/merchants/${shop.merchant.id}`
      const answer = await shop.request('PUT', path, { partial_captures }, operator)
      assert.deepEqual([answer.status, answer.body.partial_captures], [200, partial_captures])
    }
    const operator = { key: shop.operator_key }
    const before = await shop.order(card)
    await set(false)
    const later = await shop.order(card)
    await set(true)
    assert.equal('total_captured' in later, false)
    const odd = await capture(later.reference, { total: '10', final: false })
    assert.deepEqual([odd.status, Object.keys(odd.body)], [400, ['final']])
    const once = (await capture(later.reference, { total: '10' })).body
    assert.deepEqual([once.status, 'final' in once], ['SUCCESS', false])
    assert.equal((await capture(later.reference, { total: '10' })).status, 406)
    assert.equal((await capture(before.reference, { total: '10' })).body.final, false)
    assert.equal((await capture(before.reference, { total: '10' })).body.final, false)
    await assertSound()
  })
})

describe('parts in other currencies than that of the card', () => {
  /** The amounts posted and still held after each part, in minor units of AED. */
  const cases: [currency: string, rate: string, total: string, parts: [string, bigint, bigint][]][] =
    [
      // 30.85 AED for 1234 JPY.
      ['JPY', '0.025', '1234', [['334', 835n, 2_250n], ['500.4', 2_085n, 1_000n]]],
      // 119.06 AED for 10.005 KWD.
      ['KWD', '11.9', '10.0050', [['0.005', 6n, 11_900n], ['3.3333', 3_972n, 7_934n]]],
    ] // biome-ignore format: a part on a line.

  before(async () => {
    const rates = cases.map(([from, rate]) => ({ from, to: 'AED', rate }))
    const set = await shop.request(
      'PUT',
      '/v1/operator/rates',
      { rates },
      {
        key: shop.operator_key,
      },
    )
    assert.equal(set.status, 200, set.text)
  })

  for (const [currency, , total, parts] of cases) {
    test(`${currency}: the parts add up to what was held, and the refund to what was paid`, async () => {
      const own = await shop.customer(FUNDS)
      const { reference } = await shop.order(own, { total, currency })
      const whole = (await shop.account(own)).held
      for (const [part, posted, held] of parts) {
        const answer = await capture(reference, { total: part })
        assert.equal(answer.body.final, false, answer.text)
        assert.deepEqual(await shop.account(own), { balance: FUNDS - posted, held })
        await assertSound()
      }
      assert.equal((await capture(reference)).body.final, true)
      assert.deepEqual(await shop.account(own), { balance: FUNDS - whole, held: 0n })
      assert.equal((await refund(reference, total, currency)).body.status, 'SUCCESS')
      assert.deepEqual(await shop.account(own), { balance: FUNDS, held: 0n })
      await assertSound()
    })
  }
})
