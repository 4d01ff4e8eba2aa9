import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { codeMapNames, de39Of, type Hints, statusCodes, statusDescription } from './codes.ts'

const document = (name: string) =>
  readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8')

test('every status code of the specification is here with its meaning, and no other', () => {
  const rows = document('specs/card-issuing.md').matchAll(/^\| (\d{4}) \| (.+) \|$/gm)
  const specified = [...rows].map(([, code, meaning]) => [code, meaning])
  const ours = statusCodes.filter(({ extension }) => !extension)
  assert.deepEqual(
    ours.map(({ code, meaning }) => [code, meaning]),
    specified.toSorted(),
  )
})

test('the extensions are those of docs/iso8583.md 6.3, with their DE39', () => {
  const [, section = ''] = document('iso8583.md').split('### 6.3')
  const rows = section.matchAll(/\*\*(\d{4})[^*]*\*\*(?: [a-z]+)? -> (\w\w)\b/g)
  const described = [...rows].map(([, code, de39]) => [code, de39])
  const ours = statusCodes.filter(({ extension }) => extension)
  assert.deepEqual(
    ours.map(({ code, de39 }) => [code, de39]),
    described,
  )
  assert.ok(described.length >= 6)
})

/** Section 6.2's middle rows: `| 57 (s) | 1019, 1862-1866 |`, without what is conditional. */
function mapOfTheDocument(): [code: string, de39: string][] {
  const section = document('iso8583.md').split('### 6.2')[1]?.split('### 6.3')[0] ?? ''
  const rows = section.matchAll(/^\| (\w\w)(?: \(.*?\))? \| ([^|]+) \|$/gm)
  return [...rows].flatMap(([, de39 = '', codes = '']) =>
    [...codes.matchAll(/(\d{4})(?:-(\d{4}))?/g)].flatMap(([, from = '', to = from]) =>
      Array.from({ length: Number(to) - Number(from) + 1 }, (_, i): [string, string] => [
        String(Number(from) + i).padStart(4, '0'),
        de39,
      ]),
    ),
  )
}

test('DE39 follows the map of docs/iso8583.md 6.2', () => {
  const map = mapOfTheDocument()
  assert.ok(map.length > 70)
  // 1022 is 82 or N7 by D-108; 9115 and the several approvals of one row are listed below.
  const elsewhere = ['1022', '9115', '0001', '0002', '0003', '0885']
  for (const [code, de39] of map.filter(([code]) => !elsewhere.includes(code))) {
    assert.equal(de39Of(code), de39, code)
  }
})

const cases: [code: string, hints: Hints, de39: string][] = [
  ['0000', {}, '00'],
  ['0001', {}, '08'],
  ['0002', {}, '10'],
  ['0003', {}, '11'],
  ['0885', {}, '85'],
  ['1001', {}, '54'],
  ['1016', {}, '51'],
  ['1017', {}, '55'],
  ['1022', {}, '82'],
  ['1022', { cvv2: true }, 'N7'],
  ['1809', {}, '46'],
  ['1809', { card_reason: 'T0' }, '46'],
  ['1809', { card_reason: 'T1' }, '41'],
  ['1816', { card_reason: 'T2' }, '43'],
  ['1018', { card_reason: 'T1' }, '14'],
  ['9104', {}, '30'],
  ['9109', {}, '96'],
  ['9113', {}, '94'],
  ['9115', {}, '12'],
  ['9115', { reversal: true }, '21'],
  ['1856', { advice: true }, '00'],
  ['9114', { advice: true, reversal: true }, '00'],
  ['no code', {}, '96'],
]
for (const [code, hints, de39] of cases) {
  test(`${code} ${JSON.stringify(hints)} goes out as ${de39}`, () => {
    assert.equal(de39Of(code, hints), de39)
  })
}

test('every code has a DE39 of two letters or digits and a place in order, once', () => {
  const codes = statusCodes.map(({ code }) => code)
  assert.deepEqual(codes, [...new Set(codes)].toSorted())
  for (const { code, de39 } of statusCodes) assert.match(de39, /^[0-9A-Z]{2}$/, code)
})

test('a status code has a meaning, another code has none', () => {
  assert.equal(statusDescription('1003'), 'Card suspended')
  assert.equal(statusDescription('0042'), undefined)
})

const mapped: [code: string, generic: string, mastercard: string, numeric: string][] = [
  ['1810', '82', '88', '63'],
  ['1022', '82', '82', '63'],
  ['1838', '1A', '65', '57'],
  ['1868', '1A', '65', '57'],
  ['1840', 'N7', 'N7', '63'],
  ['1895', 'R0', 'R0', '57'],
  ['1816', '46', '46', '62'],
  ['1837', '70', '70', '55'],
  ['1806', '78', '78', '62'],
  ['1016', '51', '51', '51'],
  ['0000', '00', '00', '00'],
]
for (const [code, ...expected] of mapped) {
  test(`${code} is ${expected.join(', ')} at a generic, a Mastercard and a numeric interface`, () => {
    assert.deepEqual(
      codeMapNames.map((map) => de39Of(code, {}, map)),
      expected,
    )
  })
}

test('a strictly numeric interface gets digits only, and an advice is acknowledged at each', () => {
  for (const { code } of statusCodes) {
    assert.match(de39Of(code, {}, 'numeric'), /^\d\d$/)
    for (const map of codeMapNames) assert.equal(de39Of(code, { advice: true }, map), '00')
  }
})
