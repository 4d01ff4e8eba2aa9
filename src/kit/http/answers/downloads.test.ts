import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rangeIn } from './downloads.ts'

// For 100 bytes: the first and the byte behind the last, or why there is no range.
const table: [header: string, range: [start: number, end: number] | 'beyond' | undefined][] = [
  ['bytes=0-0', [0, 1]],
  ['bytes=10-19', [10, 20]],
  ['bytes=90-', [90, 100]],
  ['bytes=90-200', [90, 100]],
  ['bytes=-10', [90, 100]],
  ['bytes=-100', [0, 100]],
  ['bytes=-101', [0, 100]],
  ['bytes=-999999999999999', [0, 100]],
  ['bytes=100-', 'beyond'],
  ['bytes=100-200', 'beyond'],
  ['bytes=-0', 'beyond'],
  ['bytes=5-1', undefined],
  ['bytes=500-1', undefined],
  ['bytes=0-1,3-4', undefined],
  ['bytes=-', undefined],
  ['bytes=', undefined],
  ['bytes=a-b', undefined],
  ['bytes=0x1-2', undefined],
  ['bytes=1e1-20', undefined],
  ['lines=0-1', undefined],
  ['lines=500-', undefined],
  [`bytes=${'9'.repeat(8000)}-`, undefined],
  [`bytes=${'0-0,'.repeat(2000)}0-0`, undefined],
]
for (const [header, range] of table) {
  test(`of 100 bytes ${header.slice(0, 30)} is ${range ?? 'no range'}`, () => {
    const expected = Array.isArray(range) ? { start: range[0], end: range[1] } : range
    assert.deepEqual(rangeIn(header, 100), expected)
  })
}
