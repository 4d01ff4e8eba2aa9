import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type ReportRead, reportOf } from './rules.ts'

const document = (result: string, sub_result?: string): ReportRead => ({
  name: 'document',
  result,
  ...(sub_result !== undefined && { sub_result }),
})
const face = (result: string): ReportRead => ({ name: 'facial_similarity_video', result })

describe('reportOf', () => {
  const table: [name: string, reports: ReportRead[], expected: object][] = [
    ['all clear', [document('clear', 'clear'), face('clear')], { result: 'CLEAR' }],
    [
      'the country is the document’s',
      [{ ...document('clear'), properties: { issuing_country: 'ARE' } }],
      { result: 'CLEAR', issuing_country: 'ARE' },
    ],
    ['caution', [document('consider', 'caution')], { result: 'CONSIDER', outcome: 'caution' }],
    [
      'the gravest counts',
      [document('consider', 'suspected'), document('consider', 'rejected')],
      { result: 'CONSIDER', outcome: 'rejected' },
    ],
    [
      'a face alone that is not clear is a caution',
      [document('clear', 'clear'), face('consider')],
      { result: 'CONSIDER', outcome: 'caution' },
    ],
    [
      'unidentified is not clear',
      [face('unidentified')],
      { result: 'CONSIDER', outcome: 'caution' },
    ],
    ['no report is not clear', [], { result: 'CONSIDER', outcome: 'caution' }],
  ]
  for (const [name, reports, expected] of table) {
    test(name, () => assert.deepEqual(reportOf(reports), expected))
  }
})
