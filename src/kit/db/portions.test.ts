import assert from 'node:assert/strict'
import { test } from 'node:test'
import { portionsOf } from './portions.ts'

test('portions have all rows in their order, and sizes that are powers of two', () => {
  const rows = Array.from({ length: 203 }, (_, at) => at)
  for (let count = 0; count <= rows.length; count += 1) {
    const portions = portionsOf(rows.slice(0, count))
    assert.deepEqual(portions.flat(), rows.slice(0, count))
    for (const { length } of portions) assert.ok([1, 2, 4, 8, 16, 32, 64].includes(length))
  }
  assert.deepEqual(
    portionsOf(rows).map(({ length }) => length),
    [64, 64, 64, 8, 2, 1],
  )
})
