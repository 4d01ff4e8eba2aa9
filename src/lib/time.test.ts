import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  addDays,
  addDuration,
  addMonths,
  doubledWait,
  endOfMonth,
  formatDate,
  formatInstant,
  formatSixDigits,
  isDate,
  isInstant,
  isMonth,
  monthOf,
  parseDuration,
  parseInstant,
} from './time.ts'

const noon = new Date('2026-11-21T12:00:00.123Z')

test('instants are written with milliseconds, or with six digits and either zone', () => {
  assert.equal(formatInstant(noon), '2026-11-21T12:00:00.123Z')
  assert.equal(formatSixDigits(noon), '2026-11-21T12:00:00.123000Z')
  assert.equal(formatSixDigits(noon, '+00:00'), '2026-11-21T12:00:00.123000+00:00')
  assert.equal(formatDate(noon), '2026-11-21')
  assert.equal(monthOf(noon), '2026-11')
})

// written, the same instant as we write it
const instants = `
  2026-11-21T12:00:00Z             2026-11-21T12:00:00.000Z
  2026-11-21T12:00:00.5Z           2026-11-21T12:00:00.500Z
  2026-11-21T12:00:00.123456Z      2026-11-21T12:00:00.123Z
  2026-11-21T12:00:00.999999+04:00 2026-11-21T08:00:00.999Z
  2026-11-21T12:00:00-0330         2026-11-21T15:30:00.000Z
  2026-11-21T12:00:00+00           2026-11-21T12:00:00.000Z
  0001-01-01T00:00:00Z             0001-01-01T00:00:00.000Z
  2024-02-29T23:59:59Z             2024-02-29T23:59:59.000Z`

for (const line of instants.trim().split('\n')) {
  const [given = '', expected] = line.trim().split(/\s+/)
  test(`${given} is ${expected}`, () => {
    assert.equal(parseInstant(given)?.toISOString(), expected)
  })
}

const noInstants = [
  ...['', 'now', '2026-11-21', '2026-11-21T12:00Z', '2026-11-21T12:00:00', '20261121T120000Z'],
  ...['2026-02-29T00:00:00Z', '2026-11-21T24:00:00Z', '2026-11-21T12:60:00Z'],
  ...['2026-11-21T12:00:60Z', '2026-11-21T12:00:00+15:00', '2026-11-21T12:00:00+01:60'],
  ...['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+01:00', '9999-12-31T23:59:59-01:00'],
  ...['+02026-11-21T12:00:00Z', '2026-11-21T12:00:00.1234567890Z', '2026-11-21T12:00:00Z\n'],
]

for (const text of noInstants) {
  test(`${JSON.stringify(text)} is no instant`, () => assert.ok(!isInstant(text)))
}

test('every instant is read as it was written', () => {
  const min = new Date('0001-01-01T00:00:00Z')
  const max = new Date('9999-12-31T23:59:59.999Z')
  fc.assert(
    fc.property(fc.date({ min, max, noInvalidDate: true }), (instant) => {
      assert.deepEqual(parseInstant(formatInstant(instant)), instant)
      assert.deepEqual(parseInstant(formatSixDigits(instant, '+00:00')), instant)
    }),
  )
})

test('dates are days of the calendar', () => {
  for (const text of ['2026-11-21', '2024-02-29', '0001-01-01', '9999-12-31']) {
    assert.ok(isDate(text), text)
  }
  for (const text of ['2026-02-29', '1900-02-29', '2026-13-01', '2026-00-10', '2026-01-00']) {
    assert.ok(!isDate(text), text)
  }
  for (const text of ['', '26-01-01', '2026-1-1', '0000-01-01', '2026-01-01T', ' 2026-01-01']) {
    assert.ok(!isDate(text), text)
  }
})

test('a card is good until the last millisecond of its month', () => {
  assert.equal(endOfMonth('2026-11').toISOString(), '2026-11-30T23:59:59.999Z')
  assert.equal(endOfMonth('2024-02').toISOString(), '2024-02-29T23:59:59.999Z')
  assert.equal(endOfMonth('2026-12').toISOString(), '2026-12-31T23:59:59.999Z')
  assert.equal(endOfMonth('9999-12').toISOString(), '9999-12-31T23:59:59.999Z')
  assert.throws(() => endOfMonth('2026-13'), TypeError)
})

test('months are counted over the years, on and back', () => {
  assert.equal(addMonths('2026-11', 36), '2029-11')
  assert.equal(addMonths('2026-11', 3), '2027-02')
  assert.equal(addMonths('2026-01', -1), '2025-12')
  assert.throws(() => addMonths('9999-12', 1), RangeError)
  assert.ok(isMonth('2026-12') && !isMonth('2026-13') && !isMonth('2026-1') && !isMonth(''))
})

// from, duration, to
const additions = `
  2026-11-21T12:00:00.000Z P5D       2026-11-26T12:00:00.000Z
  2026-11-21T12:00:00.000Z PT36H     2026-11-23T00:00:00.000Z
  2026-11-21T12:00:00.000Z P2W       2026-12-05T12:00:00.000Z
  2026-11-21T12:00:00.000Z P1Y2M3DT4H5M6.789S 2028-01-24T16:05:06.789Z
  2026-01-31T12:00:00.000Z P1M       2026-02-28T12:00:00.000Z
  2024-02-29T12:00:00.000Z P1Y       2025-02-28T12:00:00.000Z
  2026-01-31T12:00:00.000Z P1M1D     2026-03-01T12:00:00.000Z
  2026-11-21T12:00:00.000Z PT0S      2026-11-21T12:00:00.000Z
  2026-11-21T12:00:00.000Z PT999999S 2026-12-03T01:46:39.000Z`

for (const line of additions.trim().split('\n')) {
  const [from = '', text = '', to] = line.trim().split(/\s+/)
  test(`${from} and ${text} is ${to}`, () => {
    const duration = parseDuration(text)
    assert.ok(duration)
    assert.equal(addDuration(new Date(from), duration).toISOString(), to)
  })
}

test('five days are added as days', () => {
  assert.equal(addDays(noon, 5).toISOString(), '2026-11-26T12:00:00.123Z')
})

for (const text of ['', 'P', 'PT', 'P1', '5D', 'P-1D', '-P1D', 'P1DT', 'P1H', 'PT1D', 'P1.5D']) {
  test(`${JSON.stringify(text)} is no duration`, () => assert.equal(parseDuration(text), undefined))
}

test('a duration past a century is rejected, however it is written', () => {
  for (const text of ['P101Y', 'P1201M', 'P99999W', 'P999999D', 'P9999999D', 'P50Y600MT9000H']) {
    assert.equal(parseDuration(text), undefined, text)
  }
})

test('a wait is doubled with each attempt up to the last one, however many there were', () => {
  const waits = [0, 1, 2, 3, 4, 5, 5_000].map((attempts) => doubledWait(attempts, 10, 60))
  assert.deepEqual(waits, [10, 10, 20, 40, 60, 60, 60])
})
