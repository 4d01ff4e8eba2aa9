import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { Secret } from '#lib/secret.ts'
import tr31Vectors from '../../test/vectors/tr31.json' with { type: 'json' }
import { unwrapKeyBlock, wrapKeyBlock } from './tr31.ts'
import type { KeyBlockVersion } from './tr31_header.ts'

const secret = (hex: string) => new Secret(Buffer.from(hex, 'hex'))

for (const vector of tr31Vectors.vectors) {
  const kbpk = secret(vector.kbpk_hex)

  test(`${vector.id}: version ${vector.version} is unwrapped`, () => {
    const read = unwrapKeyBlock(vector.key_block, kbpk)
    assert.ok(read.ok)
    assert.equal(read.key.reveal().toString('hex').toUpperCase(), vector.key_hex)
    assert.equal(read.header.version, vector.version)
    assert.equal(read.header.key_usage, vector.key_usage)
    assert.equal(read.header.algorithm, vector.algorithm)
    assert.equal(read.header.mode_of_use, vector.mode_of_use)
  })

  test(`${vector.id}: tampered, it is rejected`, () => {
    const read = unwrapKeyBlock(vector.tampered_key_block, kbpk)
    assert.deepEqual(read, { ok: false, fault: 'tampered' })
  })
}

// Published examples of TR-31 (version, KBPK, block, key).
const published: [string, string, string, string][] = [
  [
    'B',
    'DD7515F2BFC17F85CE48F3CA25CB21F6',
    'B0080P0TE00E000094B420079CC80BA3461F86FE26EFC4A3B8E4FA4C5F5341176EED7B727B8A248E',
    '3F419E1CB7079442AA37474C2EFBF8B8',
  ],
  [
    'D',
    '88E1AB2A2E3DD38C1FA039A536500CC8A87AB9D62DC92C01058FA79F44657DE6',
    'D0112P0AE00E0000B82679114F470F540165EDFBF7E250FCEA43F810D215F8D2' +
      '07E2E417C07156A27E8E31DA05F7425509593D03A457DC34',
    '3F419E1CB7079442AA37474C2EFBF8B8',
  ],
]

for (const [version, kbpk, block, key] of published) {
  test(`the published example of version ${version} is unwrapped`, () => {
    const read = unwrapKeyBlock(block, secret(kbpk))
    assert.ok(read.ok)
    assert.equal(read.key.reveal().toString('hex').toUpperCase(), key)
  })
}

const versions: KeyBlockVersion[] = ['A', 'B', 'C', 'D']
const use = {
  key_usage: 'P0',
  algorithm: 'T',
  mode_of_use: 'E',
  key_version: '00',
  exportability: 'N',
}
const random = fc.uint8Array({ minLength: 40, maxLength: 40 }).map((array) => Buffer.from(array))
const keyOf = (...lengths: number[]) =>
  fc
    .constantFrom(...lengths)
    .chain((length) => fc.uint8Array({ minLength: length, maxLength: length }))
    .map((array) => new Secret(Buffer.from(array)))

for (const version of versions) {
  const kbpks = version === 'D' ? keyOf(16, 24, 32) : keyOf(16, 24)

  test(`version ${version}: a wrapped key is unwrapped, and its length does not show`, () => {
    fc.assert(
      fc.property(keyOf(16, 24), kbpks, random, (key, kbpk, padding) => {
        const block = wrapKeyBlock({ version, ...use }, key, kbpk, padding)
        const read = unwrapKeyBlock(block, kbpk)
        assert.ok(read.ok)
        assert.ok(read.key.equals(key))
        assert.deepEqual(read.header, { version, ...use, optional_blocks: [] })
        const other = wrapKeyBlock({ version, ...use }, new Secret(Buffer.alloc(16)), kbpk, padding)
        assert.equal(block.length, other.length)
      }),
    )
  })

  test(`version ${version}: no character can be changed`, () => {
    const kbpk = new Secret(randomBytes(16))
    const key = new Secret(randomBytes(16))
    const block = wrapKeyBlock({ version, ...use }, key, kbpk, randomBytes(40))
    for (let at = 0; at < block.length; at += 1) {
      for (const character of ['0', '1', 'F', 'f', 'N', ' ', '\u00e9']) {
        if (block.charAt(at) === character) continue
        const changed = block.slice(0, at) + character + block.slice(at + 1)
        assert.ok(!unwrapKeyBlock(changed, kbpk).ok, changed)
      }
    }
  })
}

const optionalBlocks = fc.uniqueArray(
  fc
    .tuple(
      fc.constantFrom('CT', 'HM', 'IK', 'KP', 'KS', 'LB', 'TS', '10', '99'),
      fc.oneof(
        fc.string({ unit: 'grapheme-ascii', maxLength: 40 }),
        fc.integer({ min: 240, max: 2_000 }).map((length) => '8'.repeat(length)),
      ),
    )
    .map(([id, data]) => ({ id, data })),
  { selector: ({ id }) => id, maxLength: 4 },
)

for (const version of versions) {
  test(`version ${version}: optional blocks of any length come back, and are bound to the key`, () => {
    const [kbpk, key] = [new Secret(randomBytes(16)), new Secret(randomBytes(16))]
    fc.assert(
      fc.property(optionalBlocks, random, (optional_blocks, padding) => {
        const block = wrapKeyBlock({ version, ...use, optional_blocks }, key, kbpk, padding)
        const read = unwrapKeyBlock(block, kbpk)
        assert.ok(read.ok, block.slice(0, 40))
        assert.ok(read.key.equals(key))
        const found = read.header.optional_blocks.filter(({ id }) => id !== 'PB')
        assert.deepEqual(found, optional_blocks)
      }),
    )
    const long = [{ id: 'CT', data: '8'.repeat(1_000) }]
    const block = wrapKeyBlock(
      { version, ...use, optional_blocks: long },
      key,
      kbpk,
      randomBytes(40),
    )
    assert.equal(block.slice(12, 26), '0200CT000203F2')
    const at = block.indexOf('8888')
    const changed = `${block.slice(0, at)}7${block.slice(at + 1)}`
    assert.deepEqual(unwrapKeyBlock(changed, kbpk), { ok: false, fault: 'tampered' })
  })
}

test('the shortest extended block is one of 256 bytes or more', () => {
  const [kbpk, key] = [new Secret(randomBytes(16)), new Secret(randomBytes(16))]
  const headOf = (characters: number) => {
    const optional_blocks = [{ id: 'CT', data: 'x'.repeat(characters) }]
    const block = wrapKeyBlock(
      { version: 'B', ...use, optional_blocks },
      key,
      kbpk,
      randomBytes(40),
    )
    return block.slice(16, 26)
  }
  assert.equal(headOf(251), 'CTFFxxxxxx')
  assert.equal(headOf(252), 'CT00020106')
})

test('optional blocks that cannot be written are rejected', () => {
  const [kbpk, key] = [new Secret(randomBytes(16)), new Secret(randomBytes(16))]
  const refused = [
    [{ id: 'ct', data: '' }],
    [{ id: 'C', data: '' }],
    [{ id: 'CT', data: 'a\nb' }],
    [
      { id: 'CT', data: '' },
      { id: 'CT', data: '' },
    ],
    [{ id: 'CT', data: 'x'.repeat(9_990) }],
    [{ id: 'PB', data: 'x' }],
    Array.from({ length: 100 }, (_, number) => ({ id: String(number).padStart(2, '0'), data: '' })),
  ]
  for (const optional_blocks of refused) {
    const wrap = () =>
      wrapKeyBlock({ version: 'B', ...use, optional_blocks }, key, kbpk, randomBytes(40))
    assert.throws(wrap, RangeError, JSON.stringify(optional_blocks).slice(0, 60))
  }
})

test('another protection key opens nothing', () => {
  for (const version of versions) {
    const key = new Secret(randomBytes(16))
    const block = wrapKeyBlock({ version, ...use }, key, key, randomBytes(40))
    const read = unwrapKeyBlock(block, new Secret(randomBytes(16)))
    assert.deepEqual(read, { ok: false, fault: 'tampered' })
  }
})

test('a protection key or a key of another length is rejected', () => {
  const [key, odd] = [new Secret(Buffer.alloc(16)), new Secret(Buffer.alloc(15))]
  const long = new Secret(Buffer.alloc(32))
  const pad = Buffer.alloc(40)
  assert.throws(() => wrapKeyBlock({ version: 'B', ...use }, key, long, pad), RangeError)
  assert.throws(() => wrapKeyBlock({ version: 'B', ...use }, odd, key, pad), RangeError)
  assert.throws(() => wrapKeyBlock({ version: 'B', ...use }, key, key, Buffer.alloc(0)), RangeError)
  const block = wrapKeyBlock({ version: 'B', ...use }, key, key, pad)
  assert.deepEqual(unwrapKeyBlock(block, odd), { ok: false, fault: 'malformed' })
})

test('no text makes the reading of a key block throw', () => {
  const kbpk = new Secret(Buffer.alloc(16, 1))
  const [{ key_block } = { key_block: '' }] = tr31Vectors.vectors
  fc.assert(
    fc.property(fc.string(), fc.nat(100), fc.nat(100), (text, from, to) => {
      assert.ok(!unwrapKeyBlock(text, kbpk).ok)
      assert.ok(!unwrapKeyBlock(key_block.slice(0, from) + text + key_block.slice(to), kbpk).ok)
    }),
  )
})
