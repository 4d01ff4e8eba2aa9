import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { Secret } from '#lib/secret.ts'
import { moduleBlockHeader, unwrapModuleBlock, wrapModuleBlock } from './module_block.ts'

const secret = (hex: string) => new Secret(Buffer.from(hex, 'hex'))

const TDES_LMK = '0123456789ABCDEF8080808080808080FEDCBA9876543210'
const AES_LMK = '9B71333A13F9FAE72F9D0E2DAB4AD6784718012F9244033F3F26A2DE0C8AA11A'

// Made by another program under the test keys that the makers of modules publish.
const published = [
  {
    lmk: TDES_LMK,
    block: '00072B0TN00E000256A37F894FD49E61DD3FA27FDE8919D07F7AA966F8BF39AB31D00034',
    key: '735B3125EFF2E04ABFBFA1670180A168',
  },
  {
    lmk: AES_LMK,
    block:
      '10096B0TN00E0002F21247ABCAF1AAB60415020B95858FA2' +
      'D3D35DCE0B9CA675739A1C6EC367061107D66472D5097626',
    key: '000102030405060708090A0B0C0D0E0F',
    padding: '53F831C75646159457F7FDC0B5D3',
  },
  {
    lmk: AES_LMK,
    block:
      '10096B0AN00E00021DFDC97FED3ACD531E0F85F811B10D87' +
      '00B58E7D5CD72CB465DCCE8B79B67CDE6298505CCB7BAD47',
    key: '0D6B02388AC8EF491902342C5B0EDAD5',
    padding: '1FCF86E2401375FF98B3D12C6D0D',
  },
]

for (const { lmk, block, key, padding } of published) {
  test(`the published block ${block.slice(0, 16)} is unwrapped, and made again`, () => {
    const read = unwrapModuleBlock(block, secret(lmk))
    assert.ok(read.ok)
    assert.equal(read.key.reveal().toString('hex').toUpperCase(), key)
    assert.deepEqual(read.header, moduleBlockHeader(block))
    if (padding === undefined) return
    const again = wrapModuleBlock(read.header, read.key, secret(lmk), Buffer.from(padding, 'hex'))
    assert.equal(again, block)
  })

  test(`the published block ${block.slice(0, 16)} with another character is refused`, () => {
    for (let at = 0; at < block.length; at += 1) {
      for (const character of ['0', '1', 'F', 'N', ' ', 'é']) {
        if (block.charAt(at) === character) continue
        const changed = block.slice(0, at) + character + block.slice(at + 1)
        assert.ok(!unwrapModuleBlock(changed, secret(lmk)).ok, changed)
      }
    }
    assert.deepEqual(unwrapModuleBlock(block, new Secret(randomBytes(24))), {
      ok: false,
      fault: 'tampered',
    })
  })
}

const keyOf = (...lengths: number[]) =>
  fc
    .constantFrom(...lengths)
    .chain((length) => fc.uint8Array({ minLength: length, maxLength: length }))
    .map((array) => new Secret(Buffer.from(array)))
const use = {
  key_usage: 'P0',
  mode_of_use: 'B',
  key_version: '00',
  exportability: 'E',
  lmk: '00',
} as const

test('a wrapped key is unwrapped', () => {
  fc.assert(
    fc.property(keyOf(16, 24, 32), keyOf(16, 24, 32), (key, lmk) => {
      const algorithm = key.reveal().length === 32 ? 'A' : 'T'
      const header = { version: '1', algorithm, ...use } as const
      const read = unwrapModuleBlock(wrapModuleBlock(header, key, lmk, randomBytes(14)), lmk)
      assert.ok(read.ok)
      assert.ok(read.key.equals(key))
      assert.deepEqual(read.header, header)
    }),
  )
})

test('a block that cannot be written is refused', () => {
  const [key, lmk] = [new Secret(randomBytes(16)), new Secret(randomBytes(24))]
  const header = { version: '0', algorithm: 'T', ...use } as const
  const wrap = (changed: object, ...others: [Secret<Buffer>?, Secret<Buffer>?, Buffer?]) => {
    const [ofKey = key, under = lmk, random = randomBytes(14)] = others
    return () => wrapModuleBlock({ ...header, ...changed }, ofKey, under, random)
  }
  assert.equal(wrap({})().slice(0, 16), '00072P0TB00E0000')
  assert.throws(wrap({ key_usage: 'p0' }), RangeError)
  assert.throws(wrap({ lmk: 'X' }), RangeError)
  assert.throws(wrap({}, new Secret(randomBytes(15))), RangeError)
  assert.throws(wrap({}, key, new Secret(randomBytes(32))), RangeError)
  assert.throws(wrap({}, key, lmk, Buffer.alloc(0)), RangeError)
})

test('no text makes the reading of a block throw', () => {
  const lmk = secret(AES_LMK)
  const block = published[1]?.block ?? ''
  fc.assert(
    fc.property(fc.string(), fc.nat(100), fc.nat(100), (text, from, to) => {
      assert.ok(!unwrapModuleBlock(text, lmk).ok)
      const changed = block.slice(0, from) + text + block.slice(to)
      assert.equal(unwrapModuleBlock(changed, lmk).ok, changed === block)
    }),
  )
})
