import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { TdesKey } from '#lib/ciphers.ts'
import { Secret } from '#lib/secret.ts'
import { decodeFormat1, decodeFormat3, encodeFormat1, encodeFormat3 } from './format3.ts'

const key = new TdesKey(new Secret(randomBytes(16)))
const pins = fc.stringMatching(/^[0-9]{4,12}$/).map((pin) => new Secret(pin))
const pans = fc.stringMatching(/^[0-9]{12,19}$/).map((pan) => new Secret(pan))

test('a PIN comes back from blocks of formats 1 and 3, and from no other format', () => {
  fc.assert(
    fc.property(pins, pans, (pin, pan) => {
      const three = encodeFormat3(pin, pan, key, randomBytes(8))
      assert.equal(decodeFormat3(three, pan, key)?.reveal(), pin.reveal())
      const one = encodeFormat1(pin, key, randomBytes(8))
      assert.equal(decodeFormat1(one, key)?.reveal(), pin.reveal())
      assert.equal(decodeFormat1(three, key), undefined)
      assert.equal(decodeFormat3(one, pan, key), undefined)
    }),
  )
})

test('the clear blocks are those of ISO 9564-1', () => {
  const [pin, pan, fill] = [new Secret('1234'), new Secret('43219876543210987'), Buffer.alloc(8)]
  const clear = (block: Buffer) => key.decrypt(block).toString('hex').toUpperCase()
  assert.equal(clear(encodeFormat1(pin, key, Buffer.alloc(8, 0xbc))), '141234BCBCBCBCBC')
  // 341234AAAAAAAAAA over 0000987654321098.
  assert.equal(clear(encodeFormat3(pin, pan, key, fill)), '3412ACDCFE98BA32')
})

test('a PIN, card number, fill or block of another shape is refused', () => {
  const [pin, pan] = [new Secret('1234'), new Secret('4000000000000002')]
  assert.throws(() => encodeFormat3(new Secret('123'), pan, key, Buffer.alloc(8)), TypeError)
  assert.throws(() => encodeFormat3(pin, new Secret('4'), key, Buffer.alloc(8)), TypeError)
  assert.throws(() => encodeFormat1(pin, key, Buffer.alloc(7)), TypeError)
  assert.equal(decodeFormat3(Buffer.alloc(16), pan, key), undefined)
  assert.equal(decodeFormat1(Buffer.alloc(7), key), undefined)
})
