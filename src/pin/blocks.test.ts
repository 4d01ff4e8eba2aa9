import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { AesKey, TdesKey } from '#lib/ciphers.ts'
import { Secret } from '#lib/secret.ts'
import iso0 from '../../test/vectors/pinblock_iso0.json' with { type: 'json' }
import iso4 from '../../test/vectors/pinblock_iso4.json' with { type: 'json' }
import { clearFormat0, decodeFormat0, encodeFormat0, pinOfFormat0 } from './format0.ts'
import { decodeFormat4, encodeFormat4 } from './format4.ts'

const bytes = (hex: string) => Buffer.from(hex, 'hex')
const upper = (buffer: Buffer) => buffer.toString('hex').toUpperCase()
const tdes = (hex: string) => new TdesKey(new Secret(bytes(hex)))
const aes = (hex: string) => new AesKey(new Secret(bytes(hex)))

for (const vector of iso0.vectors) {
  test(`${vector.id}: format 0 is encoded and decoded`, () => {
    const [pin, pan] = [new Secret(vector.pin), new Secret(vector.pan)]
    const zpk = tdes(vector.zpk_hex)
    assert.equal(upper(clearFormat0(pin, pan).reveal()), vector.clear_block_hex)
    assert.equal(upper(encodeFormat0(pin, pan, zpk)), vector.encrypted_block_hex)
    const decoded = decodeFormat0(bytes(vector.encrypted_block_hex), pan, zpk)
    assert.equal(decoded?.reveal(), vector.pin)
  })
}

for (const vector of iso0.decode_errors) {
  test(`${vector.id}: format 0 with ${vector.description} is rejected`, () => {
    const clear = new Secret(bytes(vector.clear_block_hex))
    assert.equal(pinOfFormat0(clear, new Secret(vector.pan)), undefined)
  })
}

for (const vector of iso4.vectors) {
  test(`${vector.id}: format 4 is encoded and decoded`, () => {
    const [pin, pan] = [new Secret(vector.pin), new Secret(vector.pan)]
    const key = aes(vector.key_hex)
    const block = encodeFormat4(pin, pan, key, bytes(vector.random_fill_hex))
    assert.equal(upper(block), vector.encrypted_block_hex)
    assert.equal(decodeFormat4(block, pan, key)?.reveal(), vector.pin)
  })
}

for (const vector of iso4.decode_errors) {
  test(`${vector.id}: format 4 with ${vector.description} is rejected`, () => {
    const block = bytes(vector.encrypted_block_hex)
    const key = aes(vector.key_hex)
    assert.equal(decodeFormat4(block, new Secret(vector.pan), key), undefined)
  })
}

const pan = new Secret('4000001234567899')
const zpk = tdes('0123456789abcdeffedcba9876543210')
const key = aes('000102030405060708090a0b0c0d0e0f')

/** A clear block of format 0 from its PIN field, to break the field in each place. */
function clearOf(field: string): Secret<Buffer> {
  const number = bytes('0000000123456789')
  return new Secret(Buffer.from(bytes(field).map((byte, at) => byte ^ (number[at] ?? 0))))
}

// PIN field, the PIN when it is sound
const fields = `
  041234ffffffffff 1234
  0c123456789012ff 123456789012
  141234ffffffffff -
  341234ffffffffff -
  03123fffffffffff -
  00ffffffffffffff -
  0d1234567890123f -
  0f12345678901234 -
  0412a4ffffffffff -
  041234ffffff0fff -
  051234ffffffffff -
  041234aaaaaaaaaa -
  041234000000000f -`

for (const line of fields.trim().split('\n')) {
  const [field = '', pin] = line.trim().split(' ')
  test(`the field ${field} of format 0 holds ${pin === '-' ? 'no PIN' : pin}`, () => {
    assert.equal(pinOfFormat0(clearOf(field), pan)?.reveal() ?? '-', pin)
  })
}

/** An encrypted block of format 4 from its PIN field and the field of `pan`. */
function blockOf(field: string): Buffer {
  const number = bytes('44000001234567899000000000000000')
  const inner = key.encrypt(bytes(field))
  return key.encrypt(Buffer.from(inner.map((byte, at) => byte ^ (number[at] ?? 0))))
}

// first half of the PIN field, the PIN when it is sound
const longFields = `
  441234aaaaaaaaaa 1234
  4c123456789012aa 123456789012
  041234ffffffffff -
  341234aaaaaaaaaa -
  43123aaaaaaaaaaa -
  4d1234567890123a -
  4f12345678901234 -
  4412b4aaaaaaaaaa -
  441234ffffffffff -
  441234aaaa0aaaaa -
  451234aaaaaaaaaa -`

for (const line of longFields.trim().split('\n')) {
  const [field = '', pin] = line.trim().split(' ')
  test(`the field ${field} of format 4 holds ${pin === '-' ? 'no PIN' : pin}`, () => {
    assert.equal(decodeFormat4(blockOf(`${field}0011223344556677`), pan, key)?.reveal() ?? '-', pin)
  })
}

const somePin = fc.stringMatching(/^[0-9]{4,12}$/)
const somePan = fc.stringMatching(/^[0-9]{12,19}$/)

test('a PIN survives both formats for its own card number', () => {
  fc.assert(
    fc.property(somePin, somePan, (digits, number) => {
      const [pin, own] = [new Secret(digits), new Secret(number)]
      assert.equal(decodeFormat0(encodeFormat0(pin, own, zpk), own, zpk)?.reveal(), digits)
      const block = encodeFormat4(pin, own, key, randomBytes(8))
      assert.equal(decodeFormat4(block, own, key)?.reveal(), digits)
    }),
  )
})

test('no bytes and no card number make the decoders throw', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), fc.string(), (array, number) => {
      decodeFormat0(Buffer.from(array), pan, zpk)
      decodeFormat4(Buffer.from(array), pan, key)
      assert.equal(decodeFormat0(Buffer.alloc(8), new Secret(`x${number}`), zpk), undefined)
      assert.equal(decodeFormat4(Buffer.alloc(16), new Secret(`x${number}`), key), undefined)
    }),
  )
})

test('what is no PIN is not encoded', () => {
  for (const pin of ['', '123', '1234567890123', '12a4', '１２３４']) {
    assert.throws(() => encodeFormat0(new Secret(pin), pan, zpk), TypeError)
    assert.throws(() => encodeFormat4(new Secret(pin), pan, key, randomBytes(8)), TypeError)
  }
  assert.throws(() => encodeFormat4(new Secret('1234'), pan, key, randomBytes(7)), TypeError)
})
