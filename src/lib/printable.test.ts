import assert from 'node:assert/strict'
import { test } from 'node:test'
import { printable, printableJson } from './printable.ts'

test('printable text is one line of visible ASCII', () => {
  assert.equal(printable('a b"{}'), 'a b"{}')
  assert.equal(printable('a\nb\r\u001b[31m\u0000'), 'a\\u{a}b\\u{d}\\u{1b}[31m\\u{0}')
  assert.equal(printable('\u2028\u202e\u{1f600}\ud800'), '\\u{2028}\\u{202e}\\u{1f600}\\u{d800}')
})

test('printable JSON is visible ASCII of the same value', () => {
  const value = { 'a\u009b': ['\u202eb\u{1f600}', 'line\nline', 'Zoë'], count: 2 }
  for (const indent of [undefined, 2]) {
    const text = printableJson(value, indent)
    assert.match(text, /^[\x20-\x7e\n]+$/)
    assert.deepEqual(JSON.parse(text), value)
  }
  assert.equal(printableJson({ a: 'é' }), '{"a":"\\u00e9"}')
})
