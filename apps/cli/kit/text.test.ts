import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jsonOf, visible, visibleLines } from './text.ts'

const hidden: readonly [name: string, text: string, escaped: string][] = [
  ['an escape sequence', '\u001b[2J', '\\u001b[2J'],
  ['a mark of direction', 'a\u202eb', 'a\\u202eb'],
  ['a control of the second set', '\u009b', '\\u009b'],
  ['a separator of lines', '\u2028', '\\u2028'],
  ['a tag beyond the first plane', '\u{e0041}', '\\udb40\\udc41'],
  ['a character of private use', '\ue000', '\\ue000'],
  ['half a character', '\ud800', '\\ud800'],
]

test('what is not seen is written as JSON escapes it, whose value stays', () => {
  for (const [name, text, escaped] of hidden) {
    assert.equal(visible(text), escaped, name)
    assert.equal(JSON.parse(jsonOf(text)), text, name)
    assert.ok(!jsonOf({ [text]: text }).includes(text), name)
  }
})

test('letters of every script, joined emoji and Arabic number signs stay', () => {
  for (const text of ['کتاب‌ها', '世界書店', '👩‍👧', 'é', '\u0600', 'ไทย']) {
    assert.equal(visible(text), text)
  }
})

test('of a whole answer the lines and tabs remain', () => {
  assert.equal(visibleLines('a\n\tb\r'), 'a\n\tb\\u000d')
  assert.equal(visible('a\n\tb'), 'a\\u000a\\u0009b')
})
