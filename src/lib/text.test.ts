import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isCleanText } from './text.ts'

test('text in any script is clean', () => {
  for (const text of ['', 'Ann', 'محمد', '名前', '😀', 'line\nbreak']) assert.ok(isCleanText(text))
})

test('U+0000 and lone surrogates are not clean', () => {
  for (const text of ['a\u0000b', '\ud800', 'x\udc00', '\udc00\ud800'])
    assert.ok(!isCleanText(text))
})
