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
  ['; =2+2', "'; '=2+2"],
  ['Tea;=2+2', "Tea;'=2+2"],
  ['Tea;\t＝2+2', "Tea;\t'＝2+2"],
  ['Tea\n@SUM(A1)', '"Tea\n\'@SUM(A1)"'],
  ['"=1+1"', '"\'""=1+1"""'],
  ['|cmd', "'|cmd"],
  ['Tea; two', 'Tea; two'],
  ['A - B + C', 'A - B + C'],
]
for (const [text, cell] of table) {
  test(`${JSON.stringify(text)} is the cell ${JSON.stringify(cell)}`, () => {
    assert.equal(csvText(text), cell)
  })
}

test('a line ends as RFC 4180 has it', () => assert.equal(csvLine(['1', '', 'x']), '1,,x\r\n'))

test('no part of a cell begins a formula where a program splits at semicolons', () => {
  const parts = ['', ' ', ';', '\t', '\r\n', '=1', '+1', '-1', '@a', '＝1', 'a', '"', '|']
  for (const one of parts) {
    for (const two of parts) {
      for (const three of parts) {
        const cell = csvText(one + two + three)
        for (const part of cell.split(/;/).slice(1)) {
          assert.doesNotMatch(part, /^[\s"]*[=+\-@＝]/, JSON.stringify([one, two, three, cell]))
        }
      }
    }
  }
})
