import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isLuhn, luhnCheckDigit } from './luhn.ts'

test('known card numbers pass and their neighbours do not', () => {
  for (const pan of ['4111111111111111', '5555555555554444', '378282246310005']) {
    assert.ok(isLuhn(pan), pan)
    assert.equal(luhnCheckDigit(pan.slice(0, -1)), pan.slice(-1))
  }
  for (const pan of ['4111111111111112', '', '0', '411111111111111a', ' 4111111111111111']) {
    assert.ok(!isLuhn(pan), pan)
  }
})

const digits = fc.stringMatching(/^[0-9]{11,18}$/)

test('a completed number passes, and fails when any one digit changes', () => {
  fc.assert(
    fc.property(digits, fc.nat(17), fc.integer({ min: 1, max: 9 }), (start, place, step) => {
      const pan = start + luhnCheckDigit(start)
      assert.ok(isLuhn(pan))
      const at = place % pan.length
      const changed = (Number(pan.charAt(at)) + step) % 10
      assert.ok(!isLuhn(pan.slice(0, at) + changed + pan.slice(at + 1)))
    }),
  )
})
