/** Cells that the console writes into the CSV files of lists. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvText } from '#lib/csv.ts'
import { cellOf, readAll } from '../../apps/console/src/parts/csv_rows.ts'

const texts = [
  ...['', 'Books', 'Café, the', 'the "best"', 'two\r\nlines', 'a=b'],
  ...['=1+1', '+971501234567', '-5', '@SUM(A1)', '\t=1', '\r=1', '  =1', '\u0000A', '\u001b[2J'],
  ...['; =2+2', 'Tea;=2+2', 'Tea;\t＝2+2', 'Tea\n@SUM(A1)', '"=1+1"', '|cmd', 'Tea; two'],
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

test('a list is read to its last row, or not at all where it has more than 10,000', async () => {
  const listOf = (count: number) => async (after: string | undefined) => {
    const from = Number(after ?? 0)
    const data = Array.from({ length: Math.min(200, count - from) }, (_, at) => from + at)
    const to = from + data.length
    return { data, has_more: to < count, after: String(to) }
  }
  assert.equal((await readAll(listOf(10_000)))?.at(-1), 9_999)
  assert.deepEqual(await readAll(listOf(0)), [])
  assert.equal(await readAll(listOf(10_001)), undefined)
})
