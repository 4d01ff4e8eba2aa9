import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type FulfillmentStatus, fulfillmentStatuses as statuses } from '../schema.ts'
import { checkFulfillment, embossDue, fulfillmentMoves } from './fulfillment.ts'

describe('the fulfillment moves', () => {
  const allowed: Readonly<Record<string, readonly FulfillmentStatus[]>> = {
    CREATED: ['ORDERED'],
    ORDERED: ['SHIPPED', 'FAILED'],
    SHIPPED: ['DELIVERED', 'FAILED'],
    DELIVERED: [],
    FAILED: ['CREATED'],
    none: [],
  }
  for (const [from, reached] of Object.entries(allowed)) {
    test(`${from}: ${reached.join(', ') || 'no further'}`, () => {
      const fulfillment_status = from === 'none' ? null : from
      for (const to of statuses) {
        const result = checkFulfillment({ status: 'ACTIVE', fulfillment_status }, to)
        const expected = reached.includes(to) ? 'allowed' : 'fulfillment_move_refused'
        assert.equal(result.ok ? 'allowed' : result.code, expected, to)
        if (!result.ok) {
          assert.match(result.detail ?? '', from === 'none' ? /virtual/ : new RegExp(from))
        }
        const ended = checkFulfillment({ status: 'TERMINATED', fulfillment_status }, to)
        assert.equal(ended.ok ? 'allowed' : ended.code, 'card_terminated')
      }
    })
  }
  test('every status but DELIVERED leads on', () => {
    const left = statuses.filter((status) => !fulfillmentMoves.some(({ from }) => from === status))
    assert.deepEqual(left, ['DELIVERED'])
  })
})

describe("a card goes to the embosser at the start of the tenant's next day", () => {
  const table: [now: string, zone: string, due: string][] = [
    ['2026-03-05T12:00:00.000Z', 'UTC', '2026-03-06T00:00:00.000Z'],
    ['2026-03-05T00:00:00.000Z', 'UTC', '2026-03-06T00:00:00.000Z'],
    ['2026-03-05T19:59:59.999Z', 'Asia/Dubai', '2026-03-05T20:00:00.000Z'],
    ['2026-03-05T20:00:00.000Z', 'Asia/Dubai', '2026-03-06T20:00:00.000Z'],
    // The day on which clocks go forward has 23 hours.
    ['2026-03-29T00:30:00.000Z', 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
  ]
  for (const [now, zone, due] of table) {
    test(`${now} in ${zone}: ${due}`, () => {
      assert.equal(embossDue(new Date(now), zone).toISOString(), due)
    })
  }
})
