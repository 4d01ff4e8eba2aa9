import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { zoneAtHour } from './time.ts'
import { instantOfDay, isTimeZone, localDate, localTime, type Period, windowOf } from './window.ts'

// zone, period, instant | key, start, hours of the window
const table = `
  UTC               DAILY   2026-03-29T00:00:00Z | 2026-03-29 2026-03-29T00:00:00.000Z 24
  UTC               DAILY   2026-03-28T23:59:59Z | 2026-03-28 2026-03-28T00:00:00.000Z 24
  UTC               WEEKLY  2026-03-29T12:00:00Z | 2026-03-23 2026-03-23T00:00:00.000Z 168
  UTC               WEEKLY  2026-03-30T00:00:00Z | 2026-03-30 2026-03-30T00:00:00.000Z 168
  UTC               MONTHLY 2028-02-10T12:00:00Z | 2028-02-01 2028-02-01T00:00:00.000Z 696
  UTC               YEARLY  2026-12-31T23:59:59Z | 2026-01-01 2026-01-01T00:00:00.000Z 8760
  UTC               YEARLY  2028-02-29T23:59:59Z | 2028-01-01 2028-01-01T00:00:00.000Z 8784
  UTC               MONTHLY 2026-02-28T23:59:59Z | 2026-02-01 2026-02-01T00:00:00.000Z 672
  UTC               MONTHLY 2026-03-01T00:00:00Z | 2026-03-01 2026-03-01T00:00:00.000Z 744
  UTC               DAILY   2028-02-28T23:59:59Z | 2028-02-28 2028-02-28T00:00:00.000Z 24
  UTC               DAILY   2028-02-29T00:00:00Z | 2028-02-29 2028-02-29T00:00:00.000Z 24
  UTC               MONTHLY 2028-02-29T23:59:59Z | 2028-02-01 2028-02-01T00:00:00.000Z 696
  UTC               MONTHLY 2028-03-01T00:00:00Z | 2028-03-01 2028-03-01T00:00:00.000Z 744
  UTC               WEEKLY  2028-03-01T00:00:00Z | 2028-02-28 2028-02-28T00:00:00.000Z 168
  UTC               MONTHLY 2026-12-31T23:59:59Z | 2026-12-01 2026-12-01T00:00:00.000Z 744
  UTC               MONTHLY 2027-01-01T00:00:00Z | 2027-01-01 2027-01-01T00:00:00.000Z 744
  UTC               YEARLY  2027-01-01T00:00:00Z | 2027-01-01 2027-01-01T00:00:00.000Z 8760
  Asia/Dubai        YEARLY  2026-12-31T19:59:59Z | 2026-01-01 2025-12-31T20:00:00.000Z 8760
  Asia/Dubai        YEARLY  2026-12-31T20:00:00Z | 2027-01-01 2026-12-31T20:00:00.000Z 8760
  Europe/Berlin     DAILY   2026-03-28T22:59:59Z | 2026-03-28 2026-03-27T23:00:00.000Z 24
  Europe/Berlin     DAILY   2026-03-28T23:00:00Z | 2026-03-29 2026-03-28T23:00:00.000Z 23
  Europe/Berlin     DAILY   2026-03-29T21:59:59Z | 2026-03-29 2026-03-28T23:00:00.000Z 23
  Europe/Berlin     DAILY   2026-03-29T22:00:00Z | 2026-03-30 2026-03-29T22:00:00.000Z 24
  Europe/Berlin     DAILY   2026-10-25T22:59:59Z | 2026-10-25 2026-10-24T22:00:00.000Z 25
  Europe/Berlin     DAILY   2026-10-25T23:00:00Z | 2026-10-26 2026-10-25T23:00:00.000Z 24
  Asia/Dubai        DAILY   2026-03-28T20:00:00Z | 2026-03-29 2026-03-28T20:00:00.000Z 24
  aSIA/dubai        DAILY   2026-03-28T20:00:00Z | 2026-03-29 2026-03-28T20:00:00.000Z 24
  Asia/Dubai        MONTHLY 2026-03-31T20:00:00Z | 2026-04-01 2026-03-31T20:00:00.000Z 720
  Europe/Berlin     DAILY   2026-03-29T12:00:00Z | 2026-03-29 2026-03-28T23:00:00.000Z 23
  Europe/Berlin     DAILY   2026-10-25T12:00:00Z | 2026-10-25 2026-10-24T22:00:00.000Z 25
  Europe/Berlin     WEEKLY  2026-03-25T12:00:00Z | 2026-03-23 2026-03-22T23:00:00.000Z 167
  Asia/Beirut       DAILY   2026-03-29T12:00:00Z | 2026-03-29 2026-03-28T22:00:00.000Z 23
  America/Sao_Paulo DAILY   2018-11-04T12:00:00Z | 2018-11-04 2018-11-04T03:00:00.000Z 23
  America/Havana    DAILY   2026-11-01T12:00:00Z | 2026-11-01 2026-11-01T04:00:00.000Z 25
  Asia/Kathmandu    DAILY   2026-03-29T18:15:00Z | 2026-03-30 2026-03-29T18:15:00.000Z 24
  Pacific/Kiritimati DAILY  2026-03-29T10:00:00Z | 2026-03-30 2026-03-29T10:00:00.000Z 24
  Pacific/Apia      DAILY   2011-12-30T12:00:00Z | 2011-12-31 2011-12-30T10:00:00.000Z 24`

for (const line of table.trim().split('\n')) {
  test(line.trim().replace(/\s+/g, ' '), () => {
    const [zone = '', period = '', at = '', , key, start, hours] = line.trim().split(/\s+/)
    const window = windowOf(period as Period, new Date(at), zone)
    assert.equal(window.key, key)
    assert.equal(window.start.toISOString(), start)
    assert.equal(window.end.getTime() - window.start.getTime(), Number(hours) * 3_600_000)
  })
}

test('the window of a lifetime is the whole calendar', () => {
  const window = windowOf('LIFETIME', new Date('2026-03-29T12:00:00Z'), 'UTC')
  assert.equal(window.start.toISOString(), '0001-01-01T00:00:00.000Z')
  assert.equal(window.end.toISOString(), '9999-12-31T23:59:59.999Z')
})

test('an instant is in its window, and the next window starts where it ends', () => {
  const zone = fc.constantFrom('UTC', 'Asia/Dubai', 'America/New_York', 'Africa/Cairo', 'Asia/Gaza')
  const period = fc.constantFrom<Period>('DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY')
  const min = new Date('2015-01-01T00:00:00Z')
  const max = new Date('2060-01-01T00:00:00Z')
  fc.assert(
    fc.property(zone, period, fc.date({ min, max, noInvalidDate: true }), (name, kind, at) => {
      const window = windowOf(kind, at, name)
      assert.ok(window.start <= at && at < window.end)
      assert.deepEqual(windowOf(kind, window.end, name).start, window.end)
      const last = new Date(window.end.getTime() - 1)
      assert.deepEqual(windowOf(kind, last, name), window)
    }),
  )
})

test('zones are recognized by name', () => {
  for (const name of ['UTC', 'Asia/Dubai', 'America/Argentina/Buenos_Aires', 'Etc/GMT+4']) {
    assert.ok(isTimeZone(name), name)
  }
  for (const name of ['', 'Mars/Olympus', '+04:00', 'Asia', `A${'a'.repeat(99)}`]) {
    assert.ok(!isTimeZone(name), name)
  }
})

test('the time in a zone is that of its clocks', () => {
  const instant = new Date('2026-03-08T07:00:00.500Z')
  assert.equal(localTime(instant, 'Asia/Dubai'), '11:00:00')
  assert.equal(localTime(instant, 'America/New_York'), '03:00:00')
  assert.equal(localTime(new Date(instant.getTime() - 1_000), 'America/New_York'), '01:59:59')
})

test('a day in a zone begins with its first instant, and is that of its last', () => {
  const days: [day: string, zone: string, first: string][] = [
    ['2028-02-29', 'UTC', '2028-02-29T00:00:00.000Z'],
    ['2026-12-31', 'Asia/Dubai', '2026-12-30T20:00:00.000Z'],
    // Its clocks go from 23:59:59 to 01:00:00.
    ['2026-09-06', 'America/Santiago', '2026-09-06T04:00:00.000Z'],
  ]
  for (const [day, zone, first] of days) {
    const instant = instantOfDay(day, zone)
    assert.equal(instant.toISOString(), first)
    assert.equal(localDate(instant, zone), day)
    assert.notEqual(localDate(new Date(instant.getTime() - 1), zone), day)
  }
})

test('the hour of the day is that of the clocks of the zone, also where they are changed', () => {
  const hours: [instant: string, zone: string, hour: number][] = [
    ['2026-06-12T19:59:59.999Z', 'Asia/Dubai', 23],
    ['2026-06-12T20:00:00Z', 'Asia/Dubai', 0],
    ['2026-06-12T23:59:00Z', 'Asia/Kathmandu', 5],
    // Its clocks go from 01:59 to 03:00, and from 02:59 to 02:00.
    ['2026-03-29T00:59:59Z', 'Europe/Berlin', 1],
    ['2026-03-29T01:00:00Z', 'Europe/Berlin', 3],
    ['2026-10-25T00:59:59Z', 'Europe/Berlin', 2],
    ['2026-10-25T01:00:00Z', 'Europe/Berlin', 2],
  ]
  for (const [instant, zone, hour] of hours) {
    assert.equal(hourIn(new Date(instant), zone), hour, `${instant} ${zone}`)
  }
})

const hourIn = (instant: Date, zone: string) => Number(localTime(instant, zone).slice(0, 2))

test('at any time there is a zone in which it is a given hour', () => {
  const now = fc.date({ min: new Date(0), max: new Date('2199-12-31'), noInvalidDate: true })
  fc.assert(
    fc.property(fc.nat(23), now, (hour, instant) => {
      const zone = zoneAtHour(hour, instant)
      assert.ok(isTimeZone(zone))
      assert.equal(hourIn(instant, zone), hour)
    }),
  )
})
