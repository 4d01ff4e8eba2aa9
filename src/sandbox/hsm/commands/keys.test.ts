import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { checkValueOf, TdesKey } from '#lib/ciphers.ts'
import { Secret } from '#lib/secret.ts'
import { wrapKeyBlock } from '#pin/tr31.ts'
import { ask, done, imported, secret, ZMK, ZMK_UNDER_LMK } from '#test/support/services/hsm.ts'
import tr31Vectors from '../../../../test/vectors/tr31.json' with { type: 'json' }

// Made by an open simulator of others, under the test LMK that is published.
const published: [string, string, string][] = [
  ['BU', '001U93CB819F8FEE4F78BF9C4CDD84750DB1;000;00', 'B70AD25C94548822'],
  ['BU', '011U1EF828AA8F6B80EB83E19FBC373F3A85;001;00', '6F1E3F74F826B7EB'],
  ['BU', '011U1EF828AA8F6B80EB83E19FBC373F3A85', '6F1E3F'],
  [
    'A6',
    '001U71979DEB8587E2734F1E99D5DCAEF9ACU482C4E722BB0CF1845E1E5BD16310119U',
    'U0E07CDC0161A0DE3B5AA44DF227EC9DEABDEBC',
  ],
  [
    'A8',
    '002U1457FF6ADF6250C66C368416B4C9D383U8463435FC4B4DAA0C49025272C29B12CU',
    'U2C62A23D001B97412950CD8BE66C7639070753',
  ],
  [
    'A8',
    '002U1457FF6ADF6250C66C368416B4C9D383U8463435FC4B4DAA0C49025272C29B12CX',
    'XF7D53991678347EFB3026882F724E6EE070753',
  ],
  [
    'A6',
    '002U1457FF6ADF6250C66C368416B4C9D383XF7D53991678347EFB3026882F724E6EEU',
    'U8463435FC4B4DAA0C49025272C29B12C070753',
  ],
]

for (const [command, fields, answer] of published) {
  test(`${command} ${fields.slice(0, 12)} is answered as another simulator does`, () => {
    assert.equal(done(command, fields), answer)
  })
}

for (const vector of tr31Vectors.vectors.filter(({ version }) => version !== 'D')) {
  test(`${vector.id}: A6 takes the TR-31 block under a ZMK`, () => {
    const zmk = imported('000', vector.kbpk_hex)
    const { code, text } = ask('A6', 'FFF', zmk, 'R', vector.key_block, 'S')
    const hasParity = /^0[01]$/.test(code)
    assert.ok(hasParity, code)
    assert.equal(text.slice(-6), checkValueOf(new TdesKey(secret(vector.key_hex))))
    const refused = ask('A6', 'FFF', zmk, 'R', vector.tampered_key_block, 'S')
    assert.deepEqual([refused.code, refused.text], ['A4', ''])
  })
}

const KEY = '0123456789ABCDEF1032547698BADCFE'
const CHECK = checkValueOf(new TdesKey(secret(KEY)))
const sentAs = (key_usage: string, exportability = 'E') =>
  `R${wrapKeyBlock(
    { version: 'B', key_usage, algorithm: 'T', mode_of_use: 'N', key_version: '00', exportability },
    secret(KEY),
    secret(ZMK),
    randomBytes(40),
  )}`

test('A0 makes another key of its type each time, with its check value', () => {
  for (const [scheme, characters] of [
    ['U', 33],
    ['T', 49],
  ] as const) {
    const [one, other] = [done('A0', '0', '402', scheme), done('A0', '0', '402', scheme)]
    assert.equal(one.length, characters + 6)
    assert.notEqual(one, other)
    const flag = scheme === 'U' ? '1' : '2'
    assert.equal(done('BU', 'FF', flag, one.slice(0, -6), ';402'), one.slice(-6))
  }
})

test('BU takes the code of a type with a variant, without its middle 0', () => {
  for (const [type, code] of [
    ['402', '42'],
    ['109', '19'],
    ['209', '29'],
    ['309', '39'],
  ] as const) {
    const made = done('A0', '0', type, 'U')
    assert.equal(done('BU', code, '1', made.slice(0, -6)), made.slice(-6))
  }
})

test('A0 gives the key under a ZMK too, by which A6 brings the same key in', () => {
  for (const scheme of ['U', 'X', 'S', 'R']) {
    const made = done('A0', '1', '001', 'U', ';0', ZMK_UNDER_LMK, scheme)
    const [own, sent, check] = [made.slice(0, 33), made.slice(33, -6), made.slice(-6)]
    assert.equal(done('A6', '001', ZMK_UNDER_LMK, sent, 'U'), own + check, scheme)
  }
})

test('A0 makes keys in key blocks, with the attributes behind #', () => {
  for (const [lmk, usage, algorithm, start] of [
    ['', 'P0', 'A1', 'S10096P0AB00E0000'],
    ['', 'K0', 'A3', 'S10128K0AB00E0000'],
    ['%01', 'V2', 'T2', 'S00072V2TB00E0001'],
    ['%00', 'E0', 'T3', 'S10096E0TB00E0000'],
  ] as const) {
    const made = done('A0', '0FFFS', lmk, '#', usage, algorithm, 'B00E00')
    assert.equal(made.slice(0, 17), start)
    assert.equal(done('BU', 'FF', '1', made.slice(0, -6), ';FFF', lmk), made.slice(-6))
  }
  assert.equal(ask('A0', '0FFFS%01#P0A1B00E00').code, 'A7')
  assert.equal(ask('A0', '0001S#V2T2N00E00').code, 'A6')
})

test('A8 gives a key in every form under the ZMK, and A6 takes it back', () => {
  const own = imported('109', KEY)
  for (const [scheme, start] of [
    ['U', 'U'],
    ['X', 'X'],
    ['R', 'RB0096E0TX00E0000'],
    ['S', 'S00072E0TX00E00FF'],
  ] as const) {
    const sent = done('A8', '109', ZMK_UNDER_LMK, own, scheme)
    assert.equal(sent.slice(0, start.length), start)
    assert.equal(sent.slice(-6), CHECK)
    assert.equal(done('A6', '109', ZMK_UNDER_LMK, sent.slice(0, -6), 'U'), own + CHECK)
  }
  const attributes = done('A8', '109', ZMK_UNDER_LMK, own, 'R', '&E0N01N00')
  assert.equal(attributes.slice(0, 17), 'RB0096E0TN01N0000')
})

test('a key that may not leave does not leave', () => {
  const own = done('A6', 'FFF', ZMK_UNDER_LMK, sentAs('P0', 'N'), 'S').slice(0, -6)
  assert.equal(ask('A8', 'FFF', ZMK_UNDER_LMK, own, 'R').code, '29')
})

test('A6 takes the usage of a block for the type of the key', () => {
  const types = { K0: '000', P0: '001', V2: '002', C0: '402', E0: '109', E2: '209', E1: '309' }
  for (const [usage, type] of Object.entries(types)) {
    assert.equal(done('A6', type, ZMK_UNDER_LMK, sentAs(usage), 'U').slice(-6), CHECK)
    assert.equal(done('A6', 'FFF', ZMK_UNDER_LMK, sentAs(usage), 'S').slice(-6), CHECK)
  }
  assert.equal(ask('A6', '402', ZMK_UNDER_LMK, sentAs('P0'), 'U').code, 'A6')
})

test('A6 corrects the parity of a key and says so by code 01', () => {
  const even = new TdesKey(secret(ZMK)).encrypt(Buffer.alloc(16))
  const { code, text } = ask('A6', '001', ZMK_UNDER_LMK, 'X', even.toString('hex'), 'U')
  assert.equal(code, '01')
  assert.equal(text.slice(-6), checkValueOf(new TdesKey(new Secret(Buffer.alloc(16)))))
})

test('keys of LMK 01 are named by %01, and mean nothing under 00', () => {
  const own = imported('001', KEY, '%01')
  assert.equal(done('BU', 'FF', '1', own, ';001', '%01'), CHECK)
  assert.equal(ask('BU', 'FF', '1', own, ';001').code, '10')
  const block = done('A0', '0FFFS%01#P0T2B00E00').slice(0, -6)
  assert.equal(ask('BU', 'FF1', block, ';FFF').code, 'A2')
  assert.equal(ask('NC', '%07').code, '13')
})

test('what is wrong with a key has a code', () => {
  const own = imported('001', KEY)
  const codes = {
    'a type that is none': ask('A0', '0', 'ABC', 'U').code,
    'a type code of a check value': ask('BU', '4F', '1', own).code,
    'a length flag': ask('BU', '01', '2', own).code,
    'a scheme that is none': ask('A0', '0', '001', 'Q').code,
    'a key of another type': ask('BU', '02', '1', own).code,
    'single DES': ask('BU', '01', '0', '0123456789ABCDEF').code,
    'user storage': ask('BU', '01', '1', 'K001').code,
    'no hexadecimal digits': ask('BU', '01', '1', `U${'Z'.repeat(32)}`).code,
    'too few digits': ask('BU', '01', '1', 'U0123').code,
    'a block without a length': ask('BU', 'FF', '1', 'S1').code,
    'a block that is cut off': ask('BU', 'FF', '1', 'S10096P0AB00E0000').code,
    'more behind the fields': ask('BU', '01', '1', own, 'X').code,
    'mode 2': ask('A0', '2', '001', 'U').code,
  }
  assert.deepEqual(codes, {
    'a type that is none': '28',
    'a type code of a check value': '04',
    'a length flag': '05',
    'a scheme that is none': '26',
    'a key of another type': '10',
    'single DES': '27',
    'user storage': '12',
    'no hexadecimal digits': '15',
    'too few digits': '15',
    'a block without a length': 'B2',
    'a block that is cut off': '15',
    'more behind the fields': '15',
    'mode 2': '15',
  })
})
