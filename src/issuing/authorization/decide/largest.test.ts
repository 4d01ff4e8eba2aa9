import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { largestApproved } from './largest.ts'

/** Approves what is within both bounds; below the least the code is 1882. */
const within = (least: bigint, most: bigint) => (amount: bigint) => {
  if (amount > most) return { approved: false, status_code: '1016' }
  return amount < least
    ? { approved: false, status_code: '1882' }
    : { approved: true, status_code: '0000' }
}

test('is the largest amount that is approved, and zero where none is', () => {
  const amount = fc.bigInt(0n, 70n)
  fc.assert(
    fc.property(amount, amount, (least, most) => {
      const decideAt = within(least, most)
      const all = Array.from({ length: 64 }, (_, at) => BigInt(at + 1))
      const expected = all.findLast((one) => decideAt(one).approved) ?? 0n
      assert.equal(largestApproved(decideAt, 64n), expected)
    }),
  )
})

test('needs at most 50 decisions, whatever is approved', () => {
  for (const most of [0n, 1n, 12_345n, 10n ** 15n]) {
    let decisions = 0
    const found = largestApproved((amount) => {
      decisions += 1
      return within(1n, most)(amount)
    })
    assert.equal(found, most < 10n ** 15n ? most : 10n ** 15n - 1n)
    assert.ok(decisions <= 50, `${decisions} decisions`)
  }
})
