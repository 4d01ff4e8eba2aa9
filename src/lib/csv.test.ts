import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvLine, csvText } from './csv.ts'

const table: [text: string, cell: string][] = [
  ['', ''],
  ['Books and toys', 'Books and toys'],
  ['Café, the', '"Café, the"'],
  ['the "best"', '"the ""best"""'],
  ['two\r\nlines', '"two\r\nlines"'],
  ['=1+1', "'=1+1"],
  ['+971501234567', "'+971501234567"],
  ['-5', "'-5"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['\r=1', '"\'\r=1"'],
  ['  =1', "'  =1"],
  ['\u0000A', "'\u0000A"],
  ['＝1', "'＝1"],
  ['=HYPERLINK("http://x","y")', '"\'=HYPERLINK(""http://x"",""y"")"'],
  ['a=b', 'a=b'],
]
for (const [text, cell] of table) {
  test(`${JSON.stringify(text)} is the cell ${JSON.stringify(cell)}`, () => {
    assert.equal(csvText(text), cell)
  })
}

test('a line ends as RFC 4180 has it', () => assert.equal(csvLine(['1', '', 'x']), '1,,x\r\n'))
