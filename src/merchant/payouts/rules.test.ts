import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkMove, nextPayout, type Part, type Previous } from './rules.ts'
import { PAYOUT_STATUSES } from './schema.ts'

const capture = (amount: bigint, fee = 0n): Part => ({ type: 'CAPTURE', amount, fee })
const refund = (amount: bigint, fee = 0n): Part => ({ type: 'REFUND', amount, fee })
const after = (status: Previous['status'], amount: bigint): Previous => ({
  number: 4n,
  status,
  amount,
})

describe('a payout', () => {
  test('is the captures less the refunds and the fees of both', () => {
    const parts = [capture(1_000n, 30n), capture(500n, 20n), refund(200n, 5n)]
    assert.deepEqual(nextPayout(parts, undefined), {
      captures: 2,
      captured: 1_500n,
      refunds: 1,
      refunded: 200n,
      chargebacks: 0,
      charged_back: 0n,
      fees: 55n,
      number: 1n,
      carried: 0n,
      amount: 1_245n,
      status: 'PENDING',
    })
  })

  const cases: [what: string, parts: Part[], before: Previous, amount: bigint, status: string][] = [
    ['below zero is carried', [refund(9n)], after('PAID', 5n), -9n, 'CARRIED'],
    ['of zero is carried', [capture(3n, 3n)], after('PAID', 5n), 0n, 'CARRIED'],
    ['takes over what is carried', [capture(20n)], after('CARRIED', -9n), 11n, 'PENDING'],
    ['carries on what it does not cover', [capture(2n)], after('CARRIED', -9n), -7n, 'CARRIED'],
    ['leaves a failed one alone', [capture(2n)], after('FAILED', 9n), 2n, 'PENDING'],
    ['leaves a pending one alone', [capture(2n)], after('PENDING', 9n), 2n, 'PENDING'],
  ]
  for (const [what, parts, before, amount, status] of cases) {
    test(what, () => {
      const payout = nextPayout(parts, before)
      assert.deepEqual([payout.amount, payout.status, payout.number], [amount, status, 5n])
    })
  }
})

test('a payout is marked as paid once, also after it has failed', () => {
  const moves = PAYOUT_STATUSES.map((from) =>
    (['PAID', 'FAILED'] as const).filter((to) => checkMove(from, to).ok),
  )
  assert.deepEqual(moves, [['PAID', 'FAILED'], [], ['PAID'], []])
})
