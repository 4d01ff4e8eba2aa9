import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredTrace } from './rules.ts'
import { packTrace, unpackTrace } from './usual_checks.ts'

test('usual findings are stored as numbers, all others and every decline as they are', () => {
  const trace: StoredTrace = [
    ['format', 'complete'],
    ['card status', 'ACTIVE/P0'],
    ['funds', 'available 5'],
    ['wallet', 'ACTIVE'],
    ['wallet', 'ACTIVE', '1890'],
    ['a check of later', 'complete'],
  ]
  const packed = packTrace(trace)
  assert.deepEqual(packed, [0, trace[1], trace[2], 7, trace[4], trace[5]])
  assert.deepEqual(unpackTrace(JSON.parse(JSON.stringify(packed))), trace)
})

test('the numbers of stored findings stay what they are', () => {
  assert.deepEqual(unpackTrace([4, 12, 22]), [
    ['card status', 'ACTIVE/A0'],
    ['card verification', 'not given'],
    ['purchase', 'none'],
  ])
  assert.throws(() => unpackTrace([1_000]), /unknown number 1000/)
})
