import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contentDisposition } from './disposition.ts'

const table: [name: string, header: string][] = [
  ['a.pdf', 'attachment; filename="a.pdf"'],
  ['a b(1).pdf', 'attachment; filename="a b(1).pdf"'],
  ['é.csv', `attachment; filename="_.csv"; filename*=UTF-8''%C3%A9.csv`],
  ["a'(*)é", `attachment; filename="a'(*)_"; filename*=UTF-8''a%27%28%2A%29%C3%A9`],
  ['a"b', `attachment; filename="a_b"; filename*=UTF-8''a%22b`],
  ['a%41;b', `attachment; filename="a_41_b"; filename*=UTF-8''a%2541%3Bb`],
  ['a\r\nset-cookie: b', `attachment; filename="a__set-cookie: b"; filename*=UTF-8''a%0D%0Aset-cookie%3A%20b`],
  ['\ud800', `attachment; filename="_"; filename*=UTF-8''%EF%BF%BD`],
] // biome-ignore format: a row is a case.

for (const [name, header] of table) {
  test(`the header of ${JSON.stringify(name)} is plain ASCII and has the name`, () => {
    assert.equal(contentDisposition('attachment', name), header)
  })
}

test('a name of 8 KB is written in full', () => {
  const name = 'é'.repeat(4096)
  const header = contentDisposition('inline', name)
  const expected = `inline; filename="${'_'.repeat(4096)}"; filename*=UTF-8''${'%C3%A9'.repeat(4096)}`
  assert.equal(header, expected)
})
