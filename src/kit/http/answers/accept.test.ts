import assert from 'node:assert/strict'
import { test } from 'node:test'
import { prefers } from './accept.ts'

const table: [accept: string | undefined, isCsv: boolean][] = [
  [undefined, false],
  ['', false],
  ['*/*', false],
  ['application/json', false],
  ['application/pdf', false],
  ['text/csv', true],
  ['TEXT/CSV; charset=utf-8', true],
  ['text/*', true],
  ['text/csv, */*', true],
  ['text/csv, */*;q=0.1', true],
  ['text/csv, application/json', false],
  ['text/csv;q=0.9, application/json;q=0.8', true],
  ['text/csv;q=0.8, application/json;q=0.9', false],
  ['text/csv;q=0.5, */*', false],
  ['text/csv;q=0', false],
  ['text/csv;q=0, text/*', false],
  ['application/json;q=0, */*', true],
  ['text/csv;q=2', false],
  ['text/csv;q=abc, application/json', false],
  ['text/html, application/xhtml+xml, */*;q=0.8', false],
  [',,;q=1, text/csv', true],
  [`${'a,'.repeat(4000)}text/csv`, true],
  ['text/csv;'.repeat(900), true],
  ['"'.repeat(8000), false],
]
for (const [accept, isCsv] of table) {
  test(`${accept?.slice(0, 60) ?? 'no header'}: ${isCsv ? 'CSV' : 'JSON'}`, () => {
    assert.equal(prefers(accept, 'text/csv', 'application/json'), isCsv)
  })
}
