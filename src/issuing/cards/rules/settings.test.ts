import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { settingsInForce, settingsNow } from './settings.ts'

const lists = { allowed_countries_id: null, allowed_mccs_id: null, allowed_merchants_id: null }
const product = { ...lists, allowed_mccs_id: 'mccs', auth_settings: { atm: false } }
const card = { ...lists, allowed_countries_id: 'countries', auth_settings: { max_amount: '100' } }
const now = { product, card }
const frozen = {
  product: { ...lists, auth_settings: { pos: false } },
  card: { ...lists, auth_settings: {} },
}

describe('the settings in force', () => {
  const table: [reason: string, held: typeof frozen | null, expected: object][] = [
    ['I0', null, now],
    ['a0', null, now],
    ['A0', null, now],
    ['S0', null, now],
    ['AT', frozen, frozen],
    ['ST', frozen, frozen],
    // Frozen settings of a migration that has ended have no effect.
    ['A0', frozen, now],
    ['T0', frozen, now],
  ]
  for (const [status_reason_code, frozen_settings, expected] of table) {
    const of = expected === frozen ? 'as they were frozen' : 'of now'
    test(`${status_reason_code}${frozen_settings ? ' with frozen ones' : ''}: ${of}`, () => {
      const settings = settingsInForce({ ...card, status_reason_code, frozen_settings }, product)
      assert.deepEqual(settings, expected)
    })
  }

  test('nothing else of card or product is frozen', () => {
    const more = { id: 'x', status: 'ACTIVE', created: new Date(0) }
    assert.deepEqual(settingsNow({ ...card, ...more }, { ...product, ...more }), now)
  })
})
