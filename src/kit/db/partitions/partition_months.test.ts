import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  boundOf,
  leafName,
  MONTHS_AHEAD,
  missingMonths,
  monthOf,
  monthOfName,
  type Partitioned,
  startOf,
} from './partition_months.ts'

const byId: Partitioned = { table: 'things', by: 'id', begins: 1, unique: [] }
const byTime: Partitioned = { table: 'words', by: 'created', begins: 15, unique: [] }
const JANUARY = 2026 * 12

describe('a month', () => {
  const cases: [table: Partitioned, instant: string, month: number][] = [
    [byId, '2026-01-01T00:00:00.000Z', JANUARY],
    [byId, '2025-12-31T23:59:59.999Z', JANUARY - 1],
    [byTime, '2026-01-15T00:00:00.000Z', JANUARY],
    [byTime, '2026-01-14T23:59:59.999Z', JANUARY - 1],
    [byTime, '2026-01-01T00:00:00.000Z', JANUARY - 1],
  ]
  for (const [table, instant, month] of cases) {
    test(`of ${table.table} at ${instant} begins on its day`, () => {
      assert.equal(monthOf(table, new Date(instant)), month)
    })
  }

  test('is part of the name of its leaf, and no other name has one', () => {
    assert.equal(leafName(byId, JANUARY), 'things_2026_01')
    assert.equal(leafName(byId, JANUARY - 1), 'things_2025_12')
    assert.equal(monthOfName(byId, 'things_2026_01'), JANUARY)
    for (const name of ['things', 'things_2026_13', 'things_2026_1', 'words_2026_01', 'things_x']) {
      assert.equal(monthOfName(byId, name), undefined, name)
    }
  })

  test('has the least id of its first millisecond as its bound, or that instant', () => {
    const hex = Date.UTC(2026, 0, 1).toString(16).padStart(12, '0')
    const id = `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
    assert.equal(boundOf(byId, JANUARY), `'${id}'`)
    assert.equal(boundOf(byTime, JANUARY), `'2026-01-15T00:00:00.000Z'`)
    assert.deepEqual(startOf(byTime, JANUARY + 12), new Date('2027-01-15T00:00:00Z'))
  })
})

test('the current month and those ahead are missing at first, later what follows the last', () => {
  const now = new Date('2026-01-20T00:00:00Z')
  const all = Array.from({ length: MONTHS_AHEAD + 1 }, (_month, at) => JANUARY + at)
  assert.deepEqual(missingMonths(byId, [], now), all)
  assert.deepEqual(missingMonths(byId, all.slice(0, 2), now), all.slice(2))
  assert.deepEqual(missingMonths(byId, all, now), [])
  assert.deepEqual(missingMonths(byId, [JANUARY - 6], now)[0], JANUARY - 5, 'without a gap')
})
