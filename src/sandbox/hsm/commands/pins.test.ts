import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { TdesKey } from '#lib/ciphers.ts'
import { Secret } from '#lib/secret.ts'
import { encodeFormat0 } from '#pin/format0.ts'
import { wrapModuleBlock } from '#pin/module_block.ts'
import { wrapKeyBlock } from '#pin/tr31.ts'
import { LMKS } from '#sandbox/hsm/lmk.ts'
import { ask, done, imported, secret, upper } from '#test/support/services/hsm.ts'
import iso0Vectors from '../../../../test/vectors/pinblock_iso0.json' with { type: 'json' }
import iso4Vectors from '../../../../test/vectors/pinblock_iso4.json' with { type: 'json' }
import pvvVectors from '../../../../test/vectors/pvv.json' with { type: 'json' }

const twelve = (pan: string): string => pan.slice(-13, -1).padStart(12, '0')

// Made by an open simulator of others: PINs of 1234 and 4321 in blocks of format 0.
const ZPK = 'U1EF828AA8F6B80EB83E19FBC373F3A85'
const PVK = 'U183DF6EA5EDFF7D5C91C8F2BA6451884'
const BLOCK = '91DDDA0A7C12CFAA'
const CHANGED = '262D1CC277EF0BB4'
const ACCOUNT = '550000025321'

test('JE and CC read the blocks of another simulator', () => {
  assert.equal(done('JE', ZPK, BLOCK, '01', ACCOUNT), done('BA', '1234FFFFFFFFFFFF', ACCOUNT))
  assert.equal(done('JE', ZPK, CHANGED, '01', ACCOUNT), done('BA', '4321FFFFFFFFFFFF', ACCOUNT))
  assert.equal(done('CC', ZPK, ZPK, '12', BLOCK, '01', '01', ACCOUNT), `04${BLOCK}01`)
})

test('CU gives the PVV of the new PIN where the old one is right, and nothing where not', () => {
  const old = done('FW', '001', ZPK, PVK, BLOCK, '01', ACCOUNT, '1')
  const next = done('CU', '001', ZPK, PVK, BLOCK, '01', ACCOUNT, '1', old, CHANGED)
  assert.equal(done('EC', ZPK, PVK, CHANGED, '01', ACCOUNT, '1', next), '')
  const wrong = String((Number(old) + 1) % 10_000).padStart(4, '0')
  const refused = ask('CU', '001', ZPK, PVK, BLOCK, '01', ACCOUNT, '1', wrong, CHANGED)
  assert.deepEqual([refused.code, refused.text], ['01', ''])
})

for (const vector of pvvVectors.vectors) {
  test(`${vector.id}: EC verifies the PVV, FW and DG make it`, () => {
    const { pvk_hex, pvki, pin, pan, pvv } = vector
    const zpk = imported('001', iso0Vectors.vectors[0]?.zpk_hex ?? '')
    const key = new TdesKey(secret(iso0Vectors.vectors[0]?.zpk_hex ?? ''))
    const block = upper(encodeFormat0(new Secret(pin), new Secret(pan), key))
    const account = twelve(pan)
    for (const more of ['', '#V2N00E00']) {
      const pvk = imported('002', pvk_hex, more)
      assert.equal(done('EC', zpk, pvk, block, '01', account, pvki, pvv), '')
      assert.equal(done('FW', '001', zpk, pvk, block, '01', account, pvki), pvv)
      const under = done('JE', zpk, block, '01', account)
      assert.equal(done('DG', pvk, under, account, pvki), pvv)
    }
  })
}

for (const vector of iso0Vectors.vectors) {
  test(`${vector.id}: JE reads the block of format 0, and JG makes it`, () => {
    const { pin, pan, zpk_hex, encrypted_block_hex: block } = vector
    const zpk = imported('001', zpk_hex)
    const under = done('JE', zpk, block, '01', twelve(pan))
    assert.equal(under, done('BA', pin.padEnd(16, 'F'), twelve(pan)))
    assert.equal(done('JG', zpk, '01', twelve(pan), under), block)
    const other = `${twelve(pan).slice(0, -1)}${(Number(pan.at(-2)) + 1) % 10}`
    assert.equal(ask('JE', zpk, block, '01', other).code, '20')
  })
}

// A transport key of AES comes into the module under the LMK, whose key is published.
const AES_ZMK = secret('00112233445566778899AABBCCDDEEFF00112233445566778899AABBCCDDEEFF')
const use = { mode_of_use: 'B', key_version: '00', exportability: 'E' }
const [own] = LMKS
assert.ok(own)
const ZMK_BLOCK = `S${wrapModuleBlock(
  { version: '1', key_usage: 'K0', algorithm: 'A', ...use, lmk: '00' },
  AES_ZMK,
  own.block.key,
  randomBytes(14),
)}`

/** A zone key of AES, which only a key block carries. */
function aesZpk(hex: string): string {
  const header = { version: 'D', key_usage: 'P0', algorithm: 'A', ...use } as const
  const block = wrapKeyBlock(header, secret(hex), AES_ZMK, randomBytes(40))
  return done('A6', 'FFF', ZMK_BLOCK, 'R', block, 'S').slice(0, -6)
}

for (const vector of iso4Vectors.vectors) {
  test(`${vector.id}: JE reads the block of format 4, EC verifies it, CC translates it`, () => {
    const { pin, pan, key_hex, encrypted_block_hex: block } = vector
    const zpk = aesZpk(key_hex)
    const under = done('BA', pin.padEnd(16, 'F'), twelve(pan))
    for (const end of ['', ';']) {
      assert.equal(done('JE', zpk, block, '48', pan, end), under)
      assert.equal(done('JE', zpk, block, '48', pan, end, '%00'), under)
      const pvv = done('FW', 'FFF', zpk, PVK, block, '48', pan, end, '1')
      assert.equal(pvv, done('DG', PVK, under, twelve(pan), '1'))
      assert.equal(done('EC', zpk, PVK, block, '48', pan, end, '1', pvv), '')
      assert.equal(done('CU', 'FFF', zpk, PVK, block, '48', pan, end, '1', pvv, block), pvv)
      const length = String(pin.length).padStart(2, '0')
      const translated = done('CC', zpk, ZPK, '12', block, '48', '01', pan, end)
      assert.equal(translated.length, 20)
      assert.equal(translated.slice(0, 2) + translated.slice(-2), `${length}01`)
      assert.equal(done('JE', ZPK, translated.slice(2, 18), '01', twelve(pan)), under)
      const made = done('JG', zpk, '48', pan, end, under)
      assert.equal(done('JE', zpk, made, '48', pan), under)
    }
    const other = `${pan.slice(0, -1)}${(Number(pan.at(-1)) + 1) % 10}`
    assert.equal(ask('JE', zpk, block, '48', other).code, '20')
  })
}

test('CC translates a PIN between all formats of TDES', () => {
  for (const from of ['01', '05', '47']) {
    const block = done('CC', ZPK, ZPK, '12', BLOCK, '01', from, ACCOUNT).slice(2, 18)
    for (const to of ['01', '05', '47']) {
      const made = done('CC', ZPK, ZPK, '12', block, from, to, ACCOUNT)
      assert.equal(made.slice(0, 2), '04')
      const back = done('CC', ZPK, ZPK, '12', made.slice(2, 18), to, '01', ACCOUNT)
      assert.equal(back, `04${BLOCK}01`)
    }
  }
})

const TABLE = '0123456789012345'

test('BK makes the offset of a PIN by which EA verifies it', () => {
  for (const validation of ['4000000012N0', '400000001200']) {
    const data = [TABLE, validation]
    const offset = done('BK', '001', ZPK, PVK, BLOCK, '01', '04', ACCOUNT, ...data)
    assert.match(offset, /^[0-9]{4}F{8}$/)
    const verify = (block: string, more: string) =>
      ask('EA', ZPK, PVK, '12', block, '01', '04', ACCOUNT, ...data, more)
    assert.equal(verify(BLOCK, offset).code, '00')
    assert.equal(verify(CHANGED, offset).code, '01')
    const wrong = String((Number(offset.slice(0, 4)) + 1) % 10_000).padStart(4, '0')
    assert.equal(verify(BLOCK, wrong.padEnd(12, 'F')).code, '01')
    assert.equal(verify(BLOCK, `${offset.slice(0, 4)}00FFFFFF`).code, '01')
  }
})

test('EA verifies a PIN of eight digits by an offset of eight', () => {
  const pin = '83920174'
  const under = done('BA', pin.padEnd(16, 'F'), ACCOUNT)
  const block = done('JG', ZPK, '01', ACCOUNT, under)
  const data = [ACCOUNT, TABLE, '4000000012N0']
  const offset = done('BK', '001', ZPK, PVK, block, '01', '04', ...data)
  assert.match(offset, /^[0-9]{8}F{4}$/)
  assert.equal(done('EA', ZPK, PVK, '12', block, '01', '04', ...data, offset), '')
})

test('DE makes the offset that BK makes of the block, and that EA verifies', () => {
  const under = done('BA', '48315926'.padEnd(16, 'F'), ACCOUNT)
  const natural = `${TABLE}1234567N9876`
  const offset = done('DE', PVK, under, '04', ACCOUNT, natural)
  assert.match(offset, /^[0-9]{8}FFFF$/)
  const block = done('JG', ZPK, '01', ACCOUNT, under)
  assert.equal(done('BK', '001', ZPK, PVK, block, '01', '04', ACCOUNT, natural), offset)
  done('EA', ZPK, PVK, '12', block, '01', '04', ACCOUNT, natural, offset)
  assert.equal(ask('DE', PVK, under, '09', ACCOUNT, natural).code, '24')
})

test('JA makes a PIN of the length that is asked for, which DG and JG take', () => {
  for (const length of ['', '04', '06', '12']) {
    const under = done('JA', ACCOUNT, length)
    assert.match(done('DG', PVK, under, ACCOUNT, '1'), /^[0-9]{4}$/)
    const block = done('JG', ZPK, '01', ACCOUNT, under)
    const translated = done('CC', ZPK, ZPK, '12', block, '01', '01', ACCOUNT)
    assert.equal(translated.slice(0, 2), length || '04')
  }
})

test('what is wrong with a PIN has a code', () => {
  const codes = {
    'a block without a PIN': ask('EC', ZPK, PVK, '0'.repeat(16), '01', ACCOUNT, '10000').code,
    'a format that is none': ask('EC', ZPK, PVK, BLOCK, '02', ACCOUNT, '10000').code,
    'format 4 under TDES': ask('EC', ZPK, PVK, BLOCK, '48', ACCOUNT, '10000').code,
    'an account that is cut off': ask('EC', ZPK, PVK, BLOCK, '01', ACCOUNT.slice(2)).code,
    'a key of another type': ask('EC', PVK, PVK, BLOCK, '01', ACCOUNT, '10000').code,
    'a PVK of another type': ask('EC', ZPK, ZPK, BLOCK, '01', ACCOUNT, '10000').code,
    'it, and a block without a PIN': ask('EC', ZPK, ZPK, '0'.repeat(16), '01', ACCOUNT, '10000')
      .code,
    'a key type that has no PIN': ask('FW', '402', ZPK, PVK, BLOCK, '01', ACCOUNT, '1').code,
    'a PIN of three digits': ask('JA', ACCOUNT, '03').code,
    'a PIN of thirteen digits': ask('BA', '1234567890123FFF', ACCOUNT).code,
    'a PIN of another account': ask('DG', PVK, done('JA', ACCOUNT), '999999999999', '1').code,
    'no validation data': ask('EA', ZPK, PVK, '12', BLOCK, '01', '04', ACCOUNT, TABLE).code,
  }
  assert.deepEqual(codes, {
    'a block without a PIN': '20',
    'a format that is none': '23',
    'format 4 under TDES': '23',
    'an account that is cut off': '15',
    'a key of another type': '10',
    'a PVK of another type': '11',
    'it, and a block without a PIN': '11',
    'a key type that has no PIN': '28',
    'a PIN of three digits': '24',
    'a PIN of thirteen digits': '24',
    'a PIN of another account': '14',
    'no validation data': '15',
  })
})
