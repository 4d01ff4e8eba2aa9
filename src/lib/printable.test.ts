import assert from 'node:assert/strict'
import { test } from 'node:test'
import { printable } from './printable.ts'

test('printable text is one line of visible ASCII', () => {
  assert.equal(printable('a b"{}'), 'a b"{}')
  assert.equal(printable('a\nb\r\u001b[31m\u0000'), 'a\\u{a}b\\u{d}\\u{1b}[31m\\u{0}')
  assert.equal(printable('\u2028\u202e\u{1f600}\ud800'), '\\u{2028}\\u{202e}\\u{1f600}\\u{d800}')
})
