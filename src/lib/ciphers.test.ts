import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import fc from 'fast-check'
import {
  AesKey,
  cbcDecrypt,
  cbcEncrypt,
  checkValueOf,
  cmac,
  padded,
  paddedWithZeros,
  retailMac,
  TdesKey,
  withOddParity,
  xor,
} from './ciphers.ts'
import { Secret } from './secret.ts'

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')
const tdes = (text: string) => new TdesKey(new Secret(hex(text)))
const aes = (text: string) => new AesKey(new Secret(hex(text)))

// NIST SP 800-38B, examples for AES-128 and for TDES with three keys and with two.
const aes128 = aes('2b7e151628aed2a6abf7158809cf4f3c')
const tdes3 = tdes('8aa83bf8cbda1062 0bc1bf19fbb6cd58 bc313d4a371ca8b5')
const tdes2 = tdes('4cf15134a2850dd5 8a3d10ba80570d38')
const message = hex(
  '6bc1bee22e409f96 e93d7e117393172a ae2d8a571e03ac9c 9eb76fac45af8e51 30c81c46a35ce411',
)
const codes: [string, TdesKey | AesKey, number, string][] = [
  ['AES-128', aes128, 0, 'bb1d6929e95937287fa37d129b756746'],
  ['AES-128', aes128, 16, '070a16b46b4d4144f79bdd9dd04a287c'],
  ['AES-128', aes128, 40, 'dfa66747de9ae63030ca32611497c827'],
  ['three-key TDES', tdes3, 0, 'b7a688e122ffaf95'],
  ['three-key TDES', tdes3, 8, '8e8f293136283797'],
  ['three-key TDES', tdes3, 20, '743ddbe0ce2dc2ed'],
  ['two-key TDES', tdes2, 0, 'bd2ebf9a3ba00361'],
  ['two-key TDES', tdes2, 32, '31b1e431dabc4eb8'],
]

for (const [name, key, length, code] of codes) {
  test(`the CMAC of ${length} bytes under ${name} is the one of NIST`, () => {
    assert.equal(cmac(key, message.subarray(0, length)).toString('hex'), code)
  })
}

test('the retail MAC of one block is TDES, and under a doubled half it is a plain chain', () => {
  const key = tdes('0123456789abcdeffedcba9876543210')
  const block = hex('4e6f772069732074')
  assert.deepEqual(retailMac(key, block), key.encrypt(block))
  const single = tdes('0123456789abcdef')
  const doubled = tdes('0123456789abcdef0123456789abcdef')
  const long = message.subarray(0, 32)
  assert.deepEqual(retailMac(doubled, long), cbcEncrypt(single, Buffer.alloc(8), long).subarray(-8))
})

test('check values are those that people compare', () => {
  assert.equal(checkValueOf(tdes('0123456789abcdeffedcba9876543210')), '08D7B4')
  assert.equal(checkValueOf(aes('00000000000000000000000000000000')), '763CBC')
})

test('a broken block is rejected and spoils nothing', () => {
  const block = Buffer.alloc(16, 7)
  const before = aes128.encrypt(block)
  assert.throws(() => aes128.encrypt(Buffer.alloc(5)), RangeError)
  assert.throws(() => aes128.decrypt(Buffer.alloc(17)), RangeError)
  assert.deepEqual(aes128.encrypt(block), before)
  assert.deepEqual(aes128.decrypt(before), block)
})

test('keys of other lengths are rejected', () => {
  for (const length of [0, 7, 15, 17, 32]) {
    assert.throws(() => new TdesKey(new Secret(Buffer.alloc(length))), RangeError)
  }
  for (const length of [0, 8, 15, 33]) {
    assert.throws(() => new AesKey(new Secret(Buffer.alloc(length))), RangeError)
  }
})

test('a key prints none of its bytes', () => {
  const printed = inspect(aes128, { depth: 9, showHidden: true }) + JSON.stringify(aes128)
  assert.ok(!/2b7e15|2b 7e 15|\b43, 126/i.test(printed), printed)
})

test('padding fills a block; method 2 always adds', () => {
  assert.equal(paddedWithZeros(hex('0102'), 8).toString('hex'), '0102000000000000')
  assert.equal(paddedWithZeros(Buffer.alloc(8, 1), 8).length, 8)
  assert.equal(padded(hex('0102'), 8).toString('hex'), '0102800000000000')
  assert.equal(padded(Buffer.alloc(8, 1), 8).length, 16)
})

test('odd parity changes only the lowest bit', () => {
  assert.equal(withOddParity(hex('0001fffe80')).toString('hex'), '0101fefe80')
})

test('what is chained is unchained', () => {
  const bytes = fc.uint8Array({ minLength: 16, maxLength: 16 }).map((array) => Buffer.from(array))
  fc.assert(
    fc.property(bytes, fc.array(bytes, { maxLength: 5 }), (iv, blocks) => {
      const data = Buffer.concat(blocks)
      assert.deepEqual(cbcDecrypt(aes128, iv, cbcEncrypt(aes128, iv, data)), data)
    }),
  )
  assert.throws(() => xor(Buffer.alloc(1), Buffer.alloc(2)), RangeError)
})
