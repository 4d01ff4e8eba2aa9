import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ProductChargeInput, StoredCharge } from '../charges_schema.ts'
import { changedCharges, chargedOn, presentCharges } from './charges.ts'

const AED = { from: 'AED', to: 'AED' }
const read = (...charges: ProductChargeInput[]) => changedCharges(charges, [], AED)

test('amounts are stored in minor units, percentages in ten-thousandths', () => {
  const { charges, faults } = read(
    { type: 'ISSUING', amount: '15.5', description: 'Card' },
    { type: 'CASH_WITHDRAWAL', percent: 1 },
    { type: 'FOREIGN_CURRENCY', percent: '2.7525' },
  )
  assert.deepEqual(faults, [])
  assert.deepEqual(charges, [
    { type: 'ISSUING', amount: '1550', description: 'Card' },
    { type: 'CASH_WITHDRAWAL', percent: 10_000 },
    { type: 'FOREIGN_CURRENCY', percent: 27_525 },
  ])
  assert.deepEqual(
    presentCharges(charges, 'AED').map(({ amount, percent }) => amount ?? percent),
    [15.5, 1, 2.7525],
  )
})

describe('a charge is rejected', () => {
  const faulty: [name: string, path: string, ...charges: ProductChargeInput[]][] = [
    ['without amount and percent', 'charges.0', { type: 'ISSUING' }],
    ['with both', 'charges.0', { type: 'CASH_WITHDRAWAL', amount: 1, percent: 1 }],
    ['of nothing', 'charges.0.amount', { type: 'ISSUING', amount: 0 }],
    ['of fils of a fil', 'charges.0.amount', { type: 'ISSUING', amount: 0.001 }],
    ['of no per cent', 'charges.0.percent', { type: 'FOREIGN_CURRENCY', percent: 0 }],
    [
      'of more than 100 per cent',
      'charges.0.percent',
      { type: 'FOREIGN_CURRENCY', percent: 100.0001 },
    ],
    ['of five decimals', 'charges.0.percent', { type: 'FOREIGN_CURRENCY', percent: '0.00001' }],
    ['in per cent of nothing', 'charges.0.percent', { type: 'MONTHLY', percent: 1 }],
    ['fixed for a foreign currency', 'charges.0.amount', { type: 'FOREIGN_CURRENCY', amount: 1 }],
    [
      'that is there twice',
      'charges.1.type',
      { type: 'ISSUING', amount: 1 },
      { type: 'ISSUING', amount: 2 },
    ],
  ]
  for (const [name, path, ...charges] of faulty) {
    test(name, () => {
      assert.deepEqual(
        read(...charges).faults.map((fault) => fault.path),
        [path],
      )
    })
  }
})

test('what is not sent stays, and is read again in another currency', () => {
  const stored: StoredCharge[] = [{ type: 'ISSUING', amount: '1550' }]
  assert.deepEqual(changedCharges(undefined, stored, AED).charges, stored)
  assert.deepEqual(changedCharges([], stored, AED).charges, [])
  const kwd = changedCharges(undefined, stored, { from: 'AED', to: 'KWD' })
  assert.deepEqual(kwd.charges, [{ type: 'ISSUING', amount: '15500' }])
  const jpy = changedCharges(undefined, stored, { from: 'AED', to: 'JPY' })
  assert.deepEqual(
    jpy.faults.map(({ path }) => path),
    ['charges.0.amount'],
  )
})

test('a percentage is rounded half-even to the minor unit', () => {
  const half: StoredCharge = { type: 'FOREIGN_CURRENCY', percent: 500_000 }
  assert.deepEqual(
    [1n, 3n, 5n].map((of) => chargedOn(half, of)),
    [0n, 2n, 2n],
  )
  assert.equal(chargedOn({ type: 'CASH_WITHDRAWAL', amount: '5' }, 1_000n), 5n)
})
