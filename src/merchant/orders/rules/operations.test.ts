import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseDecimal4 } from '#lib/money.ts'
import {
  checkCapture,
  checkRefund,
  inMinorUnits,
  type OrderState,
  type RequestedAmount,
  type RequestedCapture,
} from './operations.ts'

const expiration = new Date('2026-02-06T10:00:00.000Z')
const before = new Date('2026-02-06T09:59:59.999Z')
const opened: OrderState = {
  status: 'OPENED', currency: 'AED', total: 1_001_250n, total_captured: 0n, total_refund: 0n,
  authorized: 10_012n, captured: 0n, refunded: 0n, capture_expiration: expiration,
  deadline_policy: 'void', partial_captures: false, released: false,
} // biome-ignore format: an order on a few lines.
const completed: OrderState = {
  ...opened,
  status: 'COMPLETED',
  total_captured: 1_001_250n,
  captured: 10_012n,
}

type Reported = string | [total: bigint, amount: bigint] | null

function reported(result: ReturnType<typeof checkCapture>): Reported {
  if (result.ok) return result.value && [result.value.total, result.value.amount]
  return result.errors?.map(({ path }) => path).join(' ') ?? result.code
}

describe('capture', () => {
  const cases: [
    name: string,
    order: Partial<OrderState>,
    requested: RequestedCapture,
    now: Date,
    Reported,
  ][] = [
    ['all of it', {}, {}, before, [1_001_250n, 10_012n]],
    ['null is all of it', {}, { total: null }, before, [1_001_250n, 10_012n]],
    ['the same total, written out', {}, { total: '100.1250' }, before, [1_001_250n, 10_012n]],
    ['less, rounded half-even', {}, { total: 50.005 }, before, [500_050n, 5_000n]],
    ['more is a fault', {}, { total: '100.1251' }, before, 'total'],
    ['nothing is a fault', {}, { total: 0 }, before, 'total'],
    ['less than a fils is a fault', {}, { total: '0.0049' }, before, 'total'],
    ['what is no amount is a fault', {}, { total: 'ten' }, before, 'total'],
    ['at the deadline there is nothing left', {}, {}, expiration, null],
    ['a released hold leaves nothing', { released: true }, {}, before, null],
    [
      'policy capture may capture until the deadline has done it',
      { deadline_policy: 'capture' },
      {},
      expiration,
      [1_001_250n, 10_012n],
    ],
    ['a captured order is not captured twice', completed, {}, before, 'order_already_captured'],
    ['for any amount', completed, { total: 1e9 }, expiration, 'order_already_captured'],
    ['a part of several is a fault', {}, { total: 1, final: false }, before, 'final'],
    ['all of it may be said not to be final', {}, { final: false }, before, [1_001_250n, 10_012n]],
  ]
  for (const [name, order, requested, now, expected] of cases) {
    test(name, () =>
      assert.deepEqual(reported(checkCapture({ ...opened, ...order }, requested, now)), expected),
    )
  }
})

describe('capture in parts', () => {
  const parts = { partial_captures: true }
  const begun = { ...parts, total_captured: 500_050n, captured: 5_000n }
  type Captured = [total: bigint, amount: bigint, final: boolean]
  const cases: [
    name: string,
    order: Partial<OrderState>,
    requested: RequestedCapture,
    Captured | string,
  ][] = [
    ['a part leaves the rest', parts, { total: 50.005 }, [500_050n, 5_000n, false]],
    ['unless it is the last', parts, { total: 50.005, final: true }, [500_050n, 5_000n, true]],
    ['without an amount it is all', parts, {}, [1_001_250n, 10_012n, true]],
    ['or all that is left', begun, {}, [501_200n, 5_012n, true]],
    ['also where that is said not to be final', begun, { final: false }, [501_200n, 5_012n, true]],
    ['or written out', begun, { total: '50.12' }, [501_200n, 5_012n, true]],
    ['more than what is left is a fault', begun, { total: '50.1201' }, 'total'],
    ['a part of less than a fils is a fault', parts, { total: '0.0040' }, 'total'],
    [
      'what is left on the card decides, not decimals of the total',
      { ...parts, currency: 'JPY', total: 205_000n, authorized: 20n },
      { total: '20.2' },
      [202_000n, 20n, true],
    ],
  ]
  for (const [name, order, requested, expected] of cases) {
    test(name, () => {
      const result = checkCapture({ ...opened, ...order }, requested, before)
      const found = result.ok && result.value
      assert.deepEqual(
        found ? [found.total, found.amount, found.final] : reported(result),
        expected,
      )
    })
  }

  test('any parts of the total add up to what was authorized, in each currency', () => {
    for (const [currency, total, ...split] of [
      ['AED', '100.1250', '33.3750', '33.3750', '33.3750'],
      ['JPY', '1001.0000', '333.5', '333.5', '334'],
      ['KWD', '10.0050', '0.0015', '3.3345', '6.6690'],
    ] as const) {
      const read = parseDecimal4(total, currency)
      assert.ok(read.ok)
      const whole = read.ten_thousandths
      const authorized = inMinorUnits(whole, currency)
      const order = { ...opened, ...parts, currency, total: whole, authorized }
      const finals = split.map((part) => {
        const result = checkCapture(order, { total: part }, before)
        assert.ok(result.ok && result.value, `${part} ${currency}`)
        order.total_captured += result.value.total
        order.captured += result.value.amount
        return result.value.final
      })
      assert.deepEqual([order.captured, order.total_captured], [authorized, whole])
      assert.deepEqual(finals, [false, false, true])
    }
  })
})

describe('refund', () => {
  const half = { total_refund: 500_050n, refunded: 5_000n }
  const all = { total_refund: 1_001_250n, refunded: 10_012n }
  const aed = (total: number | string): RequestedAmount => ({ total, currency: 'AED' })
  const cases: [
    name: string,
    order: Partial<OrderState>,
    requested: RequestedAmount,
    Reported,
    taken?: bigint,
  ][] = [
    ['all of it', {}, aed('100.1250'), [1_001_250n, 10_012n]],
    ['a part', {}, aed(50.005), [500_050n, 5_000n]],
    ['the last refund includes what rounding had left', half, aed('50.1200'), [501_200n, 5_012n]],
    ['more than the rest is a fault', half, aed('50.1201'), 'total'],
    ['nothing is a fault', {}, aed(0), 'total'],
    ['less than a fils is a fault', {}, aed('0.0010'), 'total'],
    ['another currency is a fault', {}, { total: 1, currency: 'USD' }, 'currency'],
    ['both are required', {}, {}, 'total currency'],
    ['null is absent', {}, { total: null, currency: 'AED' }, 'total'],
    ['a refunded order is not refunded again', all, aed(1), 'order_already_refunded'],
    ['what is charged back is not refunded', {}, aed('100.1250'), 'order_charged_back', 1n],
    ['but the rest is', {}, aed(50.12), [501_200n, 5_012n], 5_000n],
    ['and no more than that', {}, aed('50.1300'), 'order_charged_back', 5_000n],
    ['nothing is, where nothing is left', half, aed(1), 'order_charged_back', 5_012n],
    ['a refunded order stays refunded', all, aed(1), 'order_already_refunded', 1n],
    ['an open order is not refunded', { ...opened }, aed(1), 'order_still_open'],
    ['the faults of an open order come first', { ...opened }, {}, 'total currency'],
  ]
  for (const [name, order, requested, expected, taken] of cases) {
    test(name, () => {
      const result = checkRefund({ ...completed, ...order }, requested, taken)
      assert.deepEqual(reported(result), expected)
    })
  }

  test('the parts of any split of the total add up to what was captured', () => {
    for (const parts of [
      ['33.3750', '33.3750', '33.3750'],
      ['0.0150', '100.1100'],
      ['99.9999', '0.1251'],
    ]) {
      const order = { ...completed }
      for (const part of parts) {
        const result = checkRefund(order, aed(part))
        assert.ok(result.ok, part)
        order.total_refund += result.value.total
        order.refunded += result.value.amount
      }
      assert.equal(order.refunded, order.captured, parts.join(' '))
    }
  })
})
