import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readCard } from './card.ts'
import { reasonOf } from './declined.ts'

const now = new Date('2026-11-21T12:00:00.000Z')
const good = { card_number: '4000 0012-3456 7899', expiry: '11/26', cvv2: '123' }

const faultsOf = (change: object) => {
  const result = readCard({ ...good, ...change }, now)
  return result.ok ? {} : result.faults
}

describe('a typed card', () => {
  test('is read through spaces and dashes, and its expiry turned to YYMM', () => {
    const result = readCard(good, now)
    assert.deepEqual(result.ok && result.card, {
      pan: '4000001234567899',
      expiry: '2611',
      cvv2: '123',
    })
  })

  test('may be typed in Arabic digits', () => {
    const arabic = { card_number: '٤٠٠٠٠٠١٢٣٤٥٦٧٨٩٩', expiry: '١١/٢٦', cvv2: '١٢٣' }
    const result = readCard(arabic, now)
    assert.equal(result.ok && result.card.pan, '4000001234567899')
  })

  for (const expiry of [
    '1126',
    '11/2026',
    '11 / 26',
    '11//26',
    '11 / 2026',
    '11-26',
    '12/26',
    '01/27',
    '1/27',
  ]) {
    test(`may have the expiry ${expiry}`, () => assert.deepEqual(faultsOf({ expiry }), {}))
  }
  for (const expiry of ['13/27', '00/27', '11/26/26', '11/226', 'never']) {
    test(`may not have the expiry ${expiry}`, () => {
      assert.deepEqual(faultsOf({ expiry }), { expiry: 'wrong' })
    })
  }
  test('may not have an expiry before this month', () => {
    assert.deepEqual(faultsOf({ expiry: '10/26' }), { expiry: 'past' })
  })
  for (const card_number of ['4000001234567890', '40000012345', 'x'.repeat(16)]) {
    test(`may not have the number ${card_number}`, () => {
      assert.deepEqual(faultsOf({ card_number }), { card_number: 'wrong' })
    })
  }

  test('names every field at fault, and empty ones as empty', () => {
    assert.deepEqual(faultsOf({ card_number: '1', expiry: ' ', cvv2: '12' }), {
      card_number: 'wrong',
      expiry: 'empty',
      cvv2: 'wrong',
    })
    assert.deepEqual(faultsOf({ card_number: '', expiry: '', cvv2: '' }), {
      card_number: 'empty',
      expiry: 'empty',
      cvv2: 'empty',
    })
  })
})

test('every response code has a reason; unknown ones have `declined`', () => {
  const cases = { '51': 'funds', '54': 'data', N7: 'security', '61': 'limit', '57': 'unusable' }
  for (const [code, reason] of Object.entries(cases)) assert.equal(reasonOf(code), reason)
  assert.equal(reasonOf('1A'), 'proof')
  assert.equal(reasonOf('UNANSWERED'), 'away')
  assert.equal(reasonOf('59'), 'declined')
  assert.equal(reasonOf('??'), 'declined')
})
