/** The search for canaries finds each planted value, in each form and at each place. */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { cardNumbersIn, formsOf, searchFor, shortValuesIn } from './canary.ts'

const canaries = [
  { name: 'number', value: '4000056655665556' },
  { name: 'odd number', value: '371449635398431' },
  { name: 'header', value: 'a value/with+signs & "quotes"' },
]
const search = searchFor(canaries)
const folder = mkdtempSync(join(tmpdir(), 'bezant-canary-'))
after(() => rmSync(folder, { recursive: true }))

test('every form is found amid random bytes, and nothing is found in these alone', () => {
  assert.deepEqual(search.inBytes(randomBytes(1_000_000)), [])
  for (const { name, bytes } of canaries.flatMap(formsOf)) {
    const around = Buffer.concat([randomBytes(99), bytes, randomBytes(99)])
    assert.ok(search.inBytes(around).includes(name), name)
  }
})

test('the base64 of a text that contains the value is found', () => {
  for (const { name, value } of canaries) {
    for (let before = 0; before < 6; before++) {
      const text = Buffer.from(`${'x'.repeat(before)}${value} yz`)
      for (const encoding of ['base64', 'base64url'] as const) {
        assert.ok(search.inText(text.toString(encoding)).includes(`${name} (base64)`))
      }
    }
  }
})

test('a value across two pieces of a large file is found', () => {
  const bytes = Buffer.alloc(40 * 1024 * 1024)
  bytes.write('4000056655665556', 16 * 1024 * 1024 - 8)
  writeFileSync(join(folder, 'large'), bytes)
  assert.deepEqual(search.inFolder(folder), ['number (plain) in large'])
})

test('card numbers are found by their check digit, short values as values', () => {
  assert.deepEqual(cardNumbersIn('a 4000 0566-5566 5556 b 4000056655665557'), ['4000056655665556'])
  for (const text of ['{"cvv2":"873"}', "parameters: $1 = '873'", 'cvv=873', 'PIN: 873']) {
    assert.equal(shortValuesIn(text, ['12', '873']).length, 1, text)
  }
  assert.deepEqual(shortValuesIn('took 873 ms, status 8730', ['873']), [])
})
