import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countIn, groupIn, NOTHING, storedCount, withGroups } from './rules.ts'

const DAY = 'DAILY AED 2026-06-12'

test('what has counted is read as it was stored', () => {
  for (const amount of [0n, 1n, 999_999_999_999_999n, 123_456_789_012_345_678_901n, -5n])
    for (const number of [0, 1, 1_000_000])
      for (const window of [DAY, 'LIFETIME AED 0001-01-01', ''])
        assert.deepEqual(countIn(storedCount({ amount, number }, window), window), {
          amount,
          number,
        })
})

test('in another window nothing has counted', () => {
  const stored = storedCount({ amount: 5n, number: 1 }, DAY)
  for (const window of [
    'DAILY AED 2026-06-13',
    'WEEKLY AED 2026-06-12',
    'DAILY USD 2026-06-12',
    '',
  ])
    assert.equal(countIn(stored, window), NOTHING)
  assert.equal(countIn(undefined, DAY), NOTHING)
})

test('groups that have changed take the places of the same ones', () => {
  const [one, other] = [{ l1: storedCount({ amount: 1n, number: 1 }, DAY) }, {}]
  const stored = [
    ['a', one],
    ['b', other],
  ] as const
  const changed = withGroups(stored, new Map(Object.entries({ b: one, c: other })))
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((group) => groupIn(changed, group)),
    [one, one, other, undefined],
  )
  assert.equal(changed.length, 3)
  assert.equal(groupIn(stored, 'b'), other)
})
