import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toE164 } from './phone.ts'
import { isBlank, withoutSurround } from './surround.ts'

const marks = [
  ...['\u200e', '\u200f', '\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067'],
  ...['\u2068', '\u2069', '\u061c', '\u200b', '\u200c', '\u200d', '\u2060', '\ufeff', '\u00a0'],
  ...['\u202f', '\u2007', ' ', '\t'],
]

for (const mark of marks) {
  const name = `U+${mark.charCodeAt(0).toString(16).padStart(4, '0')}`
  test(`${name} around a phone number or an address is cut, and alone is blank`, () => {
    assert.equal(toE164(`${mark}+971501234567${mark}${mark}`), '+971501234567')
    assert.equal(toE164(`${mark}00971501234567${mark}`), '+971501234567')
    assert.equal(withoutSurround(`${mark}${mark}a@b.example${mark}`), 'a@b.example')
    assert.equal(isBlank(`${mark} ${mark}`), true)
  })
}

test('what is within a text stays, and a name of any script is not blank', () => {
  assert.equal(withoutSurround('\u200fعلي\u200cرضا\u200f'), 'علي\u200cرضا')
  for (const name of ['Ł', 'علي', '\u200fعلي', '王', '.']) assert.equal(isBlank(name), false)
})

test('marks within a phone number, and digits of other scripts, are read', () => {
  const written = [
    '\u2068+97150123\u20694567',
    '\ufe0f+971\u200b50\u200e1234567\ufe0f',
    '\uff0b971\u00a050\u00a0123\u00a04567',
    '+٩٧١٥٠١٢٣٤٥٦٧',
    '٠٠٩٧١٥٠١٢٣٤٥٦٧',
    '۰۰۹۷۱۵۰۱۲۳۴۵۶۷',
  ]
  for (const text of written) assert.equal(toE164(text), '+971501234567', JSON.stringify(text))
})

test('a cell of Braille without dots is blank', () => {
  assert.deepEqual([isBlank('\u2800'), isBlank('\u2801')], [true, false])
})
