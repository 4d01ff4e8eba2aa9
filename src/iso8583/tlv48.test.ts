import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { seed } from '#test/support/network/iso8583_samples.ts'
import { parseElements, writeElements } from './tlv48.ts'

test('elements are read in order and written back as they stood', () => {
  const text = '42030109203773' + '4300'
  const parsed = parseElements(text)
  assert.ok(parsed.ok)
  assert.deepEqual(
    [...parsed.elements],
    [
      ['42', '010'],
      ['92', '773'],
      ['43', ''],
    ],
  )
  assert.equal(writeElements(parsed.elements), text)
  assert.deepEqual(parseElements(''), { ok: true, elements: new Map() })
})

const malformed: [text: string, reason: string, at: number][] = [
  ['9', 'truncated', 0],
  ['920', 'truncated', 0],
  ['9203', 'truncated', 0],
  ['6101192037', 'truncated', 5],
  ['9X03123', 'malformed', 0],
  ['92-1123', 'malformed', 0],
  ['92 3123', 'malformed', 0],
  ['92031239203456', 'repeated', 7],
]
for (const [text, reason, at] of malformed) {
  test(`"${text}" is ${reason}`, () => {
    assert.deepEqual(parseElements(text), { ok: false, reason, at })
  })
}

test('no text makes the reader throw, and what it accepts is written back the same', (t) => {
  t.diagnostic(`SEED=${seed}`)
  const digits = fc.string({ unit: fc.constantFrom(...'0123456789 A'), maxLength: 60 })
  const same = fc.property(fc.oneof(digits, fc.string({ maxLength: 60 })), (text) => {
    const parsed = parseElements(text)
    if (parsed.ok) assert.equal(writeElements(parsed.elements), text)
    else assert.ok(parsed.at < text.length)
  })
  fc.assert(same, { seed, numRuns: 2_000 })
})

test('what DE48 cannot hold is not written', () => {
  assert.throws(() => writeElements([['9', '123']]), RangeError)
  assert.throws(() => writeElements([['92', '1'.repeat(100)]]), RangeError)
  const ten = Array.from({ length: 10 }, (_, i) => [String(10 + i), '1'.repeat(99)] as const)
  assert.throws(() => writeElements(ten), RangeError)
})
