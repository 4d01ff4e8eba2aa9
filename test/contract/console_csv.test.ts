/** What the console writes into the cells of the CSV files that it makes of lists. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvText } from '#lib/csv.ts'
import { cellOf } from '../../apps/console/src/parts/csv_cell.ts'

const texts = [
  ...['', 'Books', 'Café, the', 'the "best"', 'two\r\nlines', 'a=b'],
  ...['=1+1', '+971501234567', '-5', '@SUM(A1)', '\t=1', '\r=1', '  =1', '\u0000A', '\u001b[2J'],
  ...['＝1+1', '＋1', '－1', '＠SUM(A1)', '=HYPERLINK("http://x","y")'],
]
for (const text of texts) {
  test(`${JSON.stringify(text)} is the cell that the server writes`, () => {
    assert.equal(cellOf(text), csvText(text))
  })
}

test('a number is written as it is, and nothing as an empty cell', () => {
  assert.deepEqual([cellOf(-5), cellOf(undefined)], ['-5', ''])
})
