import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstIdAt, newId } from '#lib/id.ts'
import { idsAfter, idsEnd } from './months.ts'

const DAY = 24 * 3_600_000

test('every id that a process makes by a clock ahead by days is within the bound', () => {
  assert.ok(newId() < idsEnd())
  assert.ok(firstIdAt(Date.now() + 6 * DAY) < idsEnd())
  assert.ok(firstIdAt(Date.now() + 8 * DAY) > idsEnd(), 'the month after is not read')
})

test('ids that clocks behind by days make after these are within the bound', () => {
  const at = Date.now()
  const ids = [firstIdAt(at), firstIdAt(at - DAY), firstIdAt(at + DAY)]
  assert.ok(firstIdAt(at - 7 * DAY) > idsAfter(ids))
  assert.ok(firstIdAt(at - 9 * DAY) < idsAfter(ids), 'months before are not read')
})
