import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { AesKey, TdesKey } from '#lib/ciphers.ts'
import { Secret } from '#lib/secret.ts'
import { encodeFormat0 } from '#pin/format0.ts'
import { encodeFormat4 } from '#pin/format4.ts'
import type { PinKeys } from '../provider.ts'
import { holdsKeptPin, newPinOf, verificationOf } from './pins.ts'

const tdes = (byte: number) =>
  new TdesKey(new Secret(Buffer.from(`0123456789abcd${byte}`.repeat(2), 'hex')))
const keys = {
  pvk: tdes(10),
  pvki: '1',
  zpk: tdes(20),
  zpk_aes: new AesKey(new Secret(Buffer.alloc(32, 5))),
} satisfies PinKeys
const pan: Secret = new Secret('4999990000000011')

const in4 = (pin: string, fill = Buffer.alloc(8)) =>
  new Secret(encodeFormat4(new Secret(pin), pan, keys.zpk_aes, fill).toString('hex'))
const in0 = (pin: string) =>
  new Secret(encodeFormat0(new Secret(pin), pan, keys.zpk).toString('hex'))
const pvvWith = (pin: string) => verificationOf(new Secret(pin), pan, keys, 'PVV')
const resultOf = (block: Secret, kept?: Secret, length = 4, refuse_weak = false) =>
  newPinOf({ block, pan, keys, length, refuse_weak, verification: 'PVV', kept })

const digits = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: length, maxLength: length })
const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length })

test('every PIN of 4 to 12 digits is decoded from either block (random)', () => {
  const pins = fc.integer({ min: 4, max: 12 }).chain(digits)
  fc.assert(
    fc.property(pins, fc.uint8Array({ minLength: 8, maxLength: 8 }), (pin, fill) => {
      for (const block of [in4(pin, Buffer.from(fill)), in0(pin)]) {
        const result = resultOf(block, undefined, pin.length)
        assert.ok(result.ok && result.value.equals(pvvWith(pin)))
        assert.ok(holdsKeptPin({ block, over: pan, pan, keys, kept: pvvWith(pin) }))
      }
    }),
    { numRuns: 300 },
  )
})

test('any other text fails with one error and contains no PIN (random)', () => {
  const failure = resultOf(new Secret('00'))
  assert.equal(failure.ok, false)
  const texts = fc.oneof(hex(32), hex(16), fc.integer({ min: 1, max: 64 }).chain(hex))
  fc.assert(
    fc.property(texts, digits(4), (text, pin) => {
      const block = new Secret(text)
      assert.deepEqual(resultOf(block), failure)
      // That of a block without a PIN counts as 0000 until it is compared.
      for (const kept of [pvvWith(pin), pvvWith('0000')]) {
        assert.equal(holdsKeptPin({ block, over: pan, pan, keys, kept }), false)
      }
    }),
    { numRuns: 1_000 },
  )
})

test('of a longer PIN every digit counts, and how many there are', () => {
  const kept = pvvWith('12121212')
  for (const other of ['1212', '12121', '121212', '1212121212', '12121213', '12221212']) {
    const block = in4(other)
    assert.equal(holdsKeptPin({ block, over: pan, pan, keys, kept }), false, other)
  }
  assert.ok(holdsKeptPin({ block: in4('12121212'), over: pan, pan, keys, kept }))
})

test('the stored PIN is not a new one, in any block', () => {
  for (const block of [in4('4831'), in4('4831', Buffer.alloc(8, 1)), in0('4831')]) {
    assert.deepEqual(resultOf(block, pvvWith('4831')), resultOf(new Secret('00')))
    assert.ok(resultOf(block, pvvWith('5924')).ok)
  }
})

test('only a block that is right learns that its PIN is weak', () => {
  assert.deepEqual(resultOf(in0('1234'), undefined, 4, true), { ok: false, fault: 'WEAK' })
  assert.ok(resultOf(in0('1234')).ok)
  assert.deepEqual(resultOf(in0('1234'), undefined, 6, true), { ok: false, fault: 'BLOCK' })
})
