import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cardNumbersIn } from '#test/support/inspection/canary.ts'
import { messages, seed, vectorFiles } from '#test/support/network/iso8583_samples.ts'
import { type MaskedField, maskedFields } from './masked.ts'
import type { Fields } from './message.ts'
import { namedFields } from './named.ts'
import { writeElements } from './tlv48.ts'

const PAN = '5291001234567892'
const BLOCK = '0123456789ABCDEF'

const shown = (fields: Fields, whole = true): MaskedField[] =>
  maskedFields({ mti: '0100', fields }, whole)

test('each field shows what its kind allows', () => {
  const rows: [Fields, MaskedField][] = [
    [{ 2: PAN }, ['2', '529100******7892', 1]],
    [{ 2: '400000562147' }, ['2', '************', 1]],
    [{ 4: '000000001000' }, ['4', '000000001000']],
    [{ 14: '3104' }, ['14', '****', 1]],
    [{ 35: `${PAN}=31042010000358592` }, ['35', `529100******7892=${'*'.repeat(17)}`, 1]],
    [{ 45: `B${PAN}^DOE/JOHN^3104` }, ['45', '*'.repeat(31), 1]],
    [{ 52: BLOCK }, ['52', '*'.repeat(16), 1]],
    [{ 53: '0400000000000000' }, ['53', `04${'*'.repeat(14)}`, 1]],
    [{ 54: '0002784C000000001000' }, ['54', '0002784C000000001000']],
    [{ 54: PAN }, ['54', '*'.repeat(16), 1]],
    [{ 123: BLOCK + BLOCK }, ['123', '*'.repeat(32), 1]],
    [{ 126: '7'.repeat(999) }, ['126', '*'.repeat(40), 1]],
    [{ 2: PAN, 42: PAN.slice(0, 15) }, ['42', PAN.slice(0, 15)]],
    [{ 43: `Shop ${PAN}  Dubai`, 2: PAN }, ['43', 'Shop 529100******7892  Dubai', 1]],
    [{ 43: 'Shop 4000-0566-5566-5556' }, ['43', `Shop ${'*'.repeat(19)}`, 1]],
    [{ 44: '4000056655665556' }, ['44', '400005******5556', 1]],
    [{ 60: `0${PAN}`, 2: PAN }, ['60', `0529100******7892`, 1]],
    [{ 41: 'A\u0000\u00e9B1234' }, ['41', 'A??B1234']],
    [
      { 48: writeElements([['92', '773'], ['61', '1'], ['43', 'AAVAA']]) },
      ['48', '*'.repeat(21), 1, [['43', '*****', 1], ['61', '1'], ['92', '***', 1]]],
    ],
    [{ 48: writeElements([['87', 'M']]) }, ['48', '8701M', 0, [['87', 'M']]]],
    [{ 48: writeElements([['61', PAN]]) }, ['48', '*'.repeat(20), 1, [['61', '*'.repeat(16), 1]]]],
    [{ 48: '92' }, ['48', '**', 1]],
    [{ 55: '9F360200419505' }, ['55', '*'.repeat(14), 1]],
    [{ 55: '9F36020041' }, ['55', '9F36020041', 0, [['9F36', '0041']]]],
    [
      { 55: `5A08${PAN}9F36020041` },
      ['55', '*'.repeat(30), 1, [['5A', '*'.repeat(16), 1], ['9F36', '0041']]],
    ],
    [
      { 2: PAN, 55: `9F1008${PAN}` },
      ['55', '*'.repeat(22), 1, [['9F10', '*'.repeat(16), 1]]],
    ],
  ] // biome-ignore format: a row is read best on one line.
  for (const [fields, expected] of rows) {
    const found = shown(fields).find(([number]) => number === expected[0])
    const sorted = found?.[3]
      ? [...found.slice(0, 3), found[3].toSorted(([one], [other]) => (one < other ? -1 : 1))]
      : found
    assert.deepEqual(sorted, expected, JSON.stringify(fields))
  }
})

test('of a message that was not understood only trace number and response code are shown', () => {
  const fields = { 2: PAN, 3: '000000', 11: '000123', 39: '30', 43: 'Shop' }
  assert.deepEqual(shown(fields, false), [
    ['2', '*'.repeat(16), 1],
    ['3', '*'.repeat(6), 1],
    ['11', '000123'],
    ['39', '30'],
    ['43', '****', 1],
  ])
})

test('no secret of any message is in its masked fields, wherever a peer puts the number', (t) => {
  t.diagnostic(`SEED=${seed}`)
  const secrets: Fields = { 2: PAN, 35: `${PAN}=31042010000358592`, 52: BLOCK, 14: '3104' }
  const places = [37, 38, 41, 42, 43, 44, 48, 54, 55, 60, 61, 62, 90, 95, 102, 103, 120, 126]
  const silent = fc.property(messages, fc.constantFrom(...places), ({ mti, fields }, place) => {
    const message = { mti, fields: { ...fields, ...secrets, [place]: PAN } }
    const text = JSON.stringify(maskedFields(message, true))
    for (const secret of [PAN, BLOCK, '31042010000358592']) assert.ok(!text.includes(secret))
  })
  fc.assert(silent, { seed, numRuns: 300 })
})

test('no sample of another implementation shows a card number', () => {
  for (const [, { vectors }] of vectorFiles) {
    for (const { id, mti, fields } of vectors) {
      const text = JSON.stringify(maskedFields({ mti, fields }, true))
      const pan = fields[2] ?? ''
      if (pan.length > 12) assert.ok(!cardNumbersIn(text).includes(pan), id)
      if (pan.length > 12) assert.ok(!text.includes(pan), id)
    }
  }
})

test('fields and their parts have the names of the standard', () => {
  const fields = { 3: '010000', 22: '051', 53: '0400000000000000', 54: '0002784C000000001000' }
  const more = { 55: '9F36020041DF010101', 90: '0100'.padEnd(42, '0'), 43: 'Shop' }
  const parts = Object.fromEntries(
    namedFields(shown({ ...fields, ...more })).map(({ number, name, subfields = [] }) => [
      `${number} ${name}`,
      subfields.map(({ number, name, value }) => `${number} ${name}: ${value}`),
    ]),
  )
  assert.deepEqual(parts, {
    '3 Processing code': ['1 Transaction type: 01', '2 From account: 00', '3 To account: 00'],
    '22 Point of service entry mode': ['1 PAN entry mode: 05', '2 PIN entry capability: 1'],
    '43 Card acceptor name and location': [],
    '53 Security related control information': [
      '1 PIN block format: 04',
      `2 Security control: ${'*'.repeat(14)}`,
    ],
    '54 Additional amounts': ['1 Available balance: 784 C 1000'],
    '55 Integrated circuit card data': [
      '9F36 Application transaction counter: 0041',
      'DF01 Private: **',
    ],
    '90 Original data elements': [
      '1 Original message type: 0100',
      '2 Original trace number: 000000',
      '3 Original transmission date and time: 0000000000',
      '4 Original acquiring institution: 00000000000',
      '5 Original forwarding institution: 00000000000',
    ],
  })
})
