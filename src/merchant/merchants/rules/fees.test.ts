import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { feeOf, presentFees, readFees, type StoredFee } from './fees.ts'

const stored = (change: Partial<StoredFee> = {}): StoredFee => ({
  currency: 'AED',
  percent: 25_000,
  fixed: '100',
  refund_fee: '50',
  ...change,
})
const capture = (amount: bigint, currency = 'AED') =>
  ({ type: 'CAPTURE', amount, currency }) as const
const refund = (amount: bigint) => ({ type: 'REFUND', amount, currency: 'AED' }) as const

describe('a fee', () => {
  const cases: [what: string, fee: Partial<StoredFee>, of: bigint, expected: bigint][] = [
    ['is the percentage and the fixed fee', {}, 10_000n, 350n],
    ['is rounded down at a tie below an even unit', { fixed: '0' }, 8_900n, 222n],
    ['is rounded up at a tie below an odd unit', { fixed: '0' }, 9_100n, 228n],
    ['is all of the amount at 100 per cent', { percent: 1_000_000, fixed: '0' }, 7n, 7n],
    ['is the smallest percentage of a large amount', { percent: 1, fixed: '0' }, 10n ** 9n, 1000n],
    ['may be more than the amount', {}, 1n, 100n],
    ['is none without a percentage and a fixed fee', { percent: 0, fixed: '0' }, 999n, 0n],
  ]
  for (const [what, fee, of, expected] of cases) {
    test(what, () => assert.equal(feeOf([stored(fee)], capture(of)), expected))
  }

  test('of a refund does not depend on its amount', () => {
    assert.deepEqual(
      [refund(1n), refund(10n ** 9n)].map((one) => feeOf([stored()], one)),
      [50n, 50n],
    )
  })

  test('is that of its currency, and none in another one', () => {
    const fees = [stored(), stored({ currency: 'JPY', fixed: '3' })]
    assert.equal(feeOf(fees, capture(1_000n, 'JPY')), 28n)
    assert.equal(feeOf(fees, capture(1_000n, 'USD')), 0n)
    assert.equal(feeOf([], capture(1_000n)), 0n)
  })
})

describe('fees of a request', () => {
  test('are read in the decimals of their currency, and shown as they were sent', () => {
    const input = [
      { currency: 'KWD', percent: '1.2345', fixed: '0.001', refund_fee: 1 },
      { currency: 'JPY', fixed: 30 },
    ]
    const { fees, faults } = readFees(input)
    assert.deepEqual(faults, [])
    assert.deepEqual(fees, [
      { currency: 'KWD', percent: 12_345, fixed: '1', refund_fee: '1000' },
      { currency: 'JPY', percent: 0, fixed: '30', refund_fee: '0' },
    ])
    assert.deepEqual(presentFees(fees), [
      { currency: 'KWD', percent: 1.2345, fixed: 0.001, refund_fee: 1 },
      { currency: 'JPY', percent: 0, fixed: 30, refund_fee: 0 },
    ])
  })

  test('name every fault', () => {
    const { faults } = readFees([
      { currency: 'XYZ' },
      { currency: 'AED', percent: 100.5, fixed: '0.001', refund_fee: -1 },
      { currency: 'AED', percent: '1.00001' },
    ])
    assert.deepEqual(
      faults.map(({ path }) => path),
      [
        ...['fees.0.currency', 'fees.1.percent', 'fees.1.fixed', 'fees.1.refund_fee'],
        ...['fees.2.currency', 'fees.2.percent'],
      ],
    )
  })
})
