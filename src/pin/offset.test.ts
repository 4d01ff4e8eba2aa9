import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { TdesKey } from '#lib/ciphers.ts'
import { Secret } from '#lib/secret.ts'
import { offsetOf, pinOfOffset } from './offset.ts'

const natural = {
  pvk: new TdesKey(new Secret(Buffer.from('0123456789ABCDEFFEDCBA9876543210', 'hex'))),
  validation_data: new Secret('1234567899876543'),
  decimalisation_table: '0123456789012345',
}

test('an offset of zeros makes the natural PIN, which the key and the data give', () => {
  const block = natural.pvk.encrypt(Buffer.from('1234567899876543', 'hex')).toString('hex')
  const digits = [...block].map((digit) => Number.parseInt(digit, 16) % 10).join('')
  assert.equal(pinOfOffset(new Secret('0'.repeat(12)), natural).reveal(), digits.slice(0, 12))
})

test('a PIN comes back from its offset, in its length', () => {
  const pins = fc.stringMatching(/^[0-9]{4,12}$/)
  fc.assert(
    fc.property(pins, (pin) => {
      const offset = offsetOf(new Secret(pin), natural)
      assert.match(offset.reveal(), /^[0-9]+$/)
      assert.equal(pinOfOffset(offset, natural).reveal(), pin)
    }),
  )
})

test('input of another shape has no offset', () => {
  const pin = new Secret('1234')
  assert.throws(() => offsetOf(new Secret('123'), natural), TypeError)
  assert.throws(() => pinOfOffset(new Secret('123F'), natural), TypeError)
  assert.throws(() => offsetOf(pin, { ...natural, decimalisation_table: '1' }), TypeError)
  assert.throws(() => offsetOf(pin, { ...natural, validation_data: new Secret('') }), TypeError)
})
