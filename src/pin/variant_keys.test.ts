import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { Secret } from '#lib/secret.ts'
import { decryptByVariants, encryptByVariants } from './variant_keys.ts'

const secret = (hex: string) => new Secret(Buffer.from(hex, 'hex'))

// Pair of the public test LMK, variant, clear key, key under the LMK: made by other programs.
const published: [string, number, string, string][] = [
  [
    '01010101010101017902CD1FD36EF8BA',
    1,
    '0123456789ABCDEFFEDCBA9876543210',
    'A12049CC30D20BE0DC6E5E2A98FADE9E',
  ],
  [
    '01010101010101017902CD1FD36EF8BA',
    2,
    '0123456789ABCDEFFEDCBA9876543210',
    'BD7F64B9F9875B731BAED72101DEA65B',
  ],
  [
    'E0E0010101010101F1F1010101010101',
    0,
    'D3DCC7EA9BCB755D254620B376B3D007',
    '8463435FC4B4DAA0C49025272C29B12C',
  ],
  [
    '61616161616161617070707070707070',
    0,
    '0DF8F7E6D373863729E6451FA8D0981FCE79EA200829E09B',
    'A5E7D4FE829B0D83C5E7352636C16C7827E197349E34A5CD',
  ],
]

for (const [pair, variant, key, encrypted] of published) {
  test(`the key ${encrypted.slice(0, 8)} of variant ${variant} is encrypted and decrypted`, () => {
    const made = encryptByVariants(secret(key), secret(pair), variant)
    assert.equal(made.toString('hex').toUpperCase(), encrypted)
    const clear = decryptByVariants(made, secret(pair), variant)
    assert.equal(clear.toString('hex').toUpperCase(), key)
  })
}

test('a key, a variant or an encrypting key of another shape is refused', () => {
  const pair = new Secret(randomBytes(16))
  assert.throws(() => encryptByVariants(new Secret(randomBytes(8)), pair), RangeError)
  assert.throws(() => encryptByVariants(pair, pair, 10), RangeError)
  assert.throws(() => encryptByVariants(pair, new Secret(randomBytes(24))), RangeError)
})
