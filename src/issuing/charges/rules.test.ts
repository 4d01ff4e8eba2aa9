import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { dueOfMonth, newCharge, postponed, takenFrom } from './rules.ts'

describe('dueOfMonth', () => {
  const days: [issued: string, month: number, zone: string, due: string][] = [
    ['2026-01-31', 1, 'UTC', '2026-02-28T00:00:00.000Z'],
    ['2028-01-31', 1, 'UTC', '2028-02-29T00:00:00.000Z'],
    ['2026-01-31', 2, 'UTC', '2026-03-31T00:00:00.000Z'],
    ['2026-01-30', 1, 'UTC', '2026-02-28T00:00:00.000Z'],
    ['2028-02-29', 12, 'UTC', '2029-02-28T00:00:00.000Z'],
    ['2026-12-31', 1, 'Asia/Dubai', '2027-01-30T20:00:00.000Z'],
    ['2026-03-15', 1, 'Europe/Berlin', '2026-04-14T22:00:00.000Z'],
    ['2026-02-15', 1, 'Europe/Berlin', '2026-03-14T23:00:00.000Z'],
    // Santiago has no midnight on that day.
    ['2026-08-06', 1, 'America/Santiago', '2026-09-06T04:00:00.000Z'],
  ]
  for (const [issued, month, zone, due] of days) {
    test(`of a card of ${issued}, month ${month}, in ${zone}: ${due}`, () => {
      assert.equal(dueOfMonth(issued, month, zone).toISOString(), due)
    })
  }
})

describe('takenFrom', () => {
  const account = { id: 'a', balance: 100n, held: 40n, floor: 0n }
  test('takes what is available, to the last unit', () => {
    assert.deepEqual(takenFrom(account, { amount: 60n }), { ...account, balance: 40n })
  })
  test('takes no part of what is not available', () => {
    assert.equal(takenFrom(account, { amount: 61n }), undefined)
  })
  test('goes below zero where it may', () => {
    const below = { ...account, balance: 39n, floor: -1n }
    assert.deepEqual(takenFrom(account, { amount: 61n, forced: true }), below)
  })
})

describe('postponed', () => {
  const HOUR = 3600_000
  const now = new Date('2026-06-01T00:00:00.000Z')
  const wanted = {
    account_id: 'a',
    type: 'OTHER',
    amount: 1n,
    currency: 'AED',
    forced: false,
  } as const
  const row = newCharge(now, 'c', wanted)
  const after = (milliseconds: number) => postponed(new Date(now.getTime() + milliseconds), row)

  test('tries a charge again an hour later', () => {
    assert.deepEqual([row.status, row.due?.getTime()], ['PENDING', now.getTime() + HOUR])
    assert.equal(after(HOUR).due?.getTime(), now.getTime() + 2 * HOUR)
  })
  test('gives a charge up after 90 days', () => {
    assert.equal(after(90 * 24 * HOUR - 1).status, 'PENDING')
    assert.partialDeepStrictEqual(after(90 * 24 * HOUR), { status: 'CANCELED', due: null })
  })
})
