import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isCredit } from '#issuing/authorization/decide/kinds.ts'
import { transactionTypes } from '#issuing/transactions/schema.ts'
import {
  CREDITS,
  countsOf,
  hoursOf,
  isClosed,
  NO_COUNTS,
  portionOf,
  presented,
  QUARTER_MS,
  quartersOf,
} from './rules.ts'

const NOW = new Date('2026-03-02T10:20:00.000Z')
const at = (text: string) => new Date(`2026-03-${text}Z`)
const hours = (from: string, to: string) => ({
  from: at(from).getTime(),
  to: at(to).getTime(),
})

describe('hoursOf', () => {
  const cases: [name: string, query: Parameters<typeof hoursOf>[0], ReturnType<typeof hours>][] = [
    ['48 hours up to the end of the present one', {}, hours('28T11:00', '02T11:00')],
    ['whole hours around the instants',
      { from: at('01T07:59:59'), to: at('01T09:00:01') }, hours('01T07:00', '01T10:00')],
    ['an end on the hour', { from: at('01T07:00'), to: at('01T09:00') },
      hours('01T07:00', '01T09:00')],
    ['14 days', { from: at('01T00:00'), to: at('15T00:00') }, hours('01T00:00', '15T00:00')],
  ] // biome-ignore format: one case in a line or two reads best.
  for (const [name, query, expected] of cases) {
    test(`takes ${name}`, () => {
      const result = hoursOf(query, NOW)
      assert.ok(result.ok)
      const february = name.startsWith('48')
      const from = february ? Date.parse('2026-02-28T11:00Z') : expected.from
      assert.deepEqual(result.value, { ...expected, from })
    })
  }

  for (const [name, query] of [
    ['an end before the beginning', { from: at('02T10:00'), to: at('02T09:00') }],
    ['no hour', { from: at('02T10:00'), to: at('02T10:00') }],
    ['more than 14 days', { from: at('01T00:00'), to: at('15T00:01') }],
  ] as const) {
    test(`rejects ${name}`, () => {
      const result = hoursOf(query, NOW)
      assert.ok(!result.ok && result.errors?.[0]?.path === 'to')
    })
  }
})

test('a quarter is closed five minutes after its end', () => {
  const quarter = at('02T10:00').getTime()
  assert.equal(isClosed(quarter, at('02T10:19:59')), false)
  assert.equal(isClosed(quarter, NOW), true)
})

test('quarters that have begun come newest first, and a portion ends at a gap', () => {
  const quarters = quartersOf(hours('02T09:30', '02T11:00'), NOW)
  assert.deepEqual(
    quarters.map((time) => new Date(time).toISOString().slice(11, 16)),
    ['10:15', '10:00', '09:45', '09:30'],
  )
  assert.equal(portionOf(quarters, 3).length, 3)
  assert.equal(portionOf(quarters, 9).length, 4)
  assert.deepEqual(portionOf(quarters.toSpliced(1, 1), 9), quarters.slice(0, 1))
  assert.deepEqual(portionOf([], 4), [])
})

test('groups become counts of their quarters, and counts become hours', () => {
  const quarter = at('02T10:00')
  const groups = [
    { quarter, approved: true, name: 'AED', number: 2, amount: 1250n },
    { quarter, approved: true, name: 'JPY', number: 1, amount: 300n },
    { quarter, approved: true, name: 'XXX', number: 1, amount: 0n },
    { quarter, approved: false, name: '1016', number: 1, amount: 9n },
    { quarter, approved: false, name: '1806', number: 3, amount: 9n },
  ]
  const quarters = quartersOf(hours('02T10:00', '02T11:00'), NOW)
  const counts = countsOf(quarters, groups)
  assert.deepEqual(counts.get(at('02T10:15').getTime()), NO_COUNTS)
  const { hours: shown, state } = presented(hours('02T10:00', '02T11:00'), NOW, counts)
  assert.equal(state, 'COMPLETE')
  assert.equal(shown.length, 1)
  assert.deepEqual([shown[0]?.approved, shown[0]?.declined], [4, 4])
  assert.deepEqual(shown[0]?.amounts, [
    { currency: 'AED', approved_amount: 12.5 },
    { currency: 'JPY', approved_amount: 300 },
  ])
  assert.deepEqual(
    shown[0]?.declines.map(({ status_code, number }) => [status_code, number]),
    [['1806', 3], ['1016', 1]],
  ) // biome-ignore format: pairs in one line read best.
})

test('an hour is left out until all its quarters are counted', () => {
  const quarters = quartersOf(hours('02T09:00', '02T10:00'), NOW)
  const counts = countsOf(quarters.slice(0, 3), [])
  const { hours: shown, state } = presented(hours('02T09:00', '02T11:00'), NOW, counts)
  assert.deepEqual([shown.length, state], [0, 'PARTIAL'])
})

test('hours that have not begun are no hours yet', () => {
  const period = hours('02T11:00', '02T12:00')
  assert.deepEqual(quartersOf(period, NOW), [])
  assert.equal(presented(period, NOW, new Map()).state, 'COMPLETE')
})

test('credits are those of the engine', () => {
  assert.deepEqual([...CREDITS].sort(), transactionTypes.filter(isCredit).toSorted())
})

test('a quarter divides every offset of a time zone', () => {
  for (const minutes of [0, 30, 45, 60, 345, 765]) assert.equal((minutes * 60_000) % QUARTER_MS, 0)
})
