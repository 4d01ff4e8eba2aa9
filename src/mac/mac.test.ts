import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { AesKey, type BlockKey, TdesKey } from '#lib/ciphers.ts'
import { Secret } from '#lib/secret.ts'
import { isMac, MAC_BYTES, type MacMethod, macOf, macPaddings } from './mac.ts'

const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex')
const tdes = (hex: string) => new TdesKey(new Secret(bytes(hex)))
const aes = (hex: string) => new AesKey(new Secret(bytes(hex)))
const upper = (buffer: Buffer) => buffer.toString('hex').toUpperCase()

// ISO/IEC 9797-1:1999, annex A: both data strings, and FIPS 113 for algorithm 1
const WHOLE = Buffer.from('Now is the time for all ')
const BROKEN = Buffer.from('Now is the time for it')
const single = tdes('0123456789ABCDEF')
const double = tdes('0123456789ABCDEF FEDCBA9876543210')

const iso: [string, BlockKey, MacMethod, Buffer, string][] = [
  ['a whole block', single, { algorithm: 'iso9797_1', padding: 1 }, WHOLE, '70A30640CC76DD8B'],
  ['a broken block', single, { algorithm: 'iso9797_1', padding: 1 }, BROKEN, 'E45B3AD2B7CC0856'],
  ['a whole block', single, { algorithm: 'iso9797_1', padding: 2 }, WHOLE, '10E1F0F108341B6D'],
  ['a broken block', single, { algorithm: 'iso9797_1', padding: 2 }, BROKEN, 'A924C72136149211'],
  [
    'the sample of FIPS 113',
    single,
    { algorithm: 'iso9797_1', padding: 1 },
    Buffer.from('7654321 Now is the time for '),
    'F1D30F6849312CA4',
  ],
  ['a whole block', double, { algorithm: 'iso9797_3', padding: 1 }, WHOLE, 'A1C72E74EA3FA9B6'],
  ['a broken block', double, { algorithm: 'iso9797_3', padding: 1 }, BROKEN, '2E2B1428CC78254F'],
  ['a whole block', double, { algorithm: 'iso9797_3', padding: 2 }, WHOLE, 'E9086230CA3BE796'],
  ['a broken block', double, { algorithm: 'iso9797_3', padding: 2 }, BROKEN, '5A692CE64F404145'],
]

for (const [name, key, method, message, mac] of iso) {
  test(`${method.algorithm} with padding ${method.padding} of ${name} is ${mac}`, () => {
    assert.equal(upper(macOf(key, method, message)), mac)
    assert.ok(isMac(key, method, message, bytes(mac)))
  })
}

// NIST SP 800-38B, examples of AES-128, AES-256, and TDES with three and with two keys
const PLAIN =
  '6BC1BEE22E409F96E93D7E117393172A AE2D8A571E03AC9C9EB76FAC45AF8E51' +
  '30C81C46A35CE411E5FBC1191A0A52EF F69F2445DF4F9B17AD2B417BE66C3710'
const aes128 = aes('2B7E151628AED2A6ABF7158809CF4F3C')
const aes256 = aes('603DEB1015CA71BE2B73AEF0857D7781 1F352C073B6108D72D9810A30914DFF4')
const three = tdes('8AA83BF8CBDA1062 0BC1BF19FBB6CD58 BC313D4A371CA8B5')
const two = tdes('4CF15134A2850DD5 8A3D10BA80570D38')

const nist: [string, BlockKey, number, string][] = [
  ['AES-128', aes128, 0, 'BB1D6929E95937287FA37D129B756746'],
  ['AES-128', aes128, 16, '070A16B46B4D4144F79BDD9DD04A287C'],
  ['AES-128', aes128, 40, 'DFA66747DE9AE63030CA32611497C827'],
  ['AES-128', aes128, 64, '51F0BEBF7E3B9D92FC49741779363CFE'],
  ['AES-256', aes256, 0, '028962F61B7BF89EFC6B551F4667D983'],
  ['AES-256', aes256, 40, 'AAF3D8F1DE5640C232F5B169B9C911E6'],
  ['TDES with three keys', three, 0, 'B7A688E122FFAF95'],
  ['TDES with three keys', three, 8, '8E8F293136283797'],
  ['TDES with three keys', three, 20, '743DDBE0CE2DC2ED'],
  ['TDES with three keys', three, 32, '33E6B1092400EAE5'],
  ['TDES with two keys', two, 0, 'BD2EBF9A3BA00361'],
  ['TDES with two keys', two, 8, '4FF2AB813C53CE83'],
  ['TDES with two keys', two, 20, '62DD1B471902BD4E'],
  ['TDES with two keys', two, 32, '31B1E431DABC4EB8'],
]

for (const [name, key, length, mac] of nist) {
  test(`CMAC under ${name} of ${length} bytes is ${mac}`, () => {
    const message = bytes(PLAIN).subarray(0, length)
    for (const padding of macPaddings) {
      assert.equal(upper(macOf(key, { algorithm: 'cmac', padding }, message)), mac)
    }
    const carried = bytes(mac).subarray(0, MAC_BYTES)
    assert.ok(isMac(key, { algorithm: 'cmac', padding: 1 }, message, carried))
  })
}

test('a code with one changed bit, too short or too long is none', () => {
  const method: MacMethod = { algorithm: 'iso9797_3', padding: 2 }
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), fc.nat({ max: 63 }), (data, bit) => {
      const message = Buffer.from(data)
      const mac = macOf(double, method, message)
      assert.ok(isMac(double, method, message, mac.subarray(0, 4)))
      assert.ok(!isMac(double, method, message, mac.subarray(0, 3)))
      assert.ok(!isMac(double, method, message, Buffer.concat([mac, mac])))
      const at = bit >> 3
      mac[at] = (mac[at] ?? 0) ^ (1 << (bit & 7))
      assert.ok(!isMac(double, method, message, mac))
    }),
  )
})

test('an algorithm of ISO 9797-1 under an AES key throws', () => {
  for (const algorithm of ['iso9797_1', 'iso9797_3'] as const) {
    assert.throws(() => macOf(aes128, { algorithm, padding: 1 }, WHOLE), RangeError)
  }
})
