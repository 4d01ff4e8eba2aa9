import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { outcomes, type Report } from '../provider.ts'
import { triggerOf } from './report.ts'

describe('triggerOf', () => {
  // phase, re-initiated? | result, outcome, country | what it triggers; the tenant allows ARE
  const table = `
    FIRST          | CLEAR                       | idv_clear
    FIRST          | CLEAR ARE                   | idv_clear
    FIRST          | CLEAR AE                    | idv_clear
    FIRST          | CLEAR FRA                   | idv_country
    FIRST          | CONSIDER caution            | idv_not_verified
    FIRST          | CONSIDER caution ARE        | idv_not_verified
    FIRST          | CONSIDER caution FRA        | idv_caution_and_country
    FIRST          | CONSIDER suspected          | idv_not_verified
    FIRST          | CONSIDER rejected           | idv_not_verified
    FIRST          | CONSIDER terminated         | idv_not_verified
    FIRST          | CONSIDER suspected FRA      | idv_caution_and_country
    FIRST          | CONSIDER document_requested | idv_document_requested
    FIRST          | CONSIDER abandoned          | idv_abandoned
    FIRST again    | CLEAR                       | idv_clear
    FIRST again    | CLEAR FRA                   | idv_country
    FIRST again    | CONSIDER caution            | idv_not_verified
    FIRST again    | CONSIDER suspected          | idv_suspected
    FIRST again    | CONSIDER rejected           | idv_rejected
    FIRST again    | CONSIDER terminated         | idv_rejected
    FIRST again    | CONSIDER suspected FRA      | idv_suspected
    FIRST again    | CONSIDER abandoned          | idv_abandoned
    RENEWAL again  | CLEAR                       | idv_clear
    RENEWAL again  | CLEAR FRA                   | idv_country
    RENEWAL again  | CONSIDER caution            | idv_not_verified
    RENEWAL again  | CONSIDER caution FRA        | idv_caution_and_country
    RENEWAL again  | CONSIDER suspected          | idv_suspected
    RENEWAL again  | CONSIDER rejected           | idv_rejected
    RENEWAL again  | CONSIDER terminated         | idv_rejected
    RENEWAL again  | CONSIDER terminated FRA     | idv_rejected
    RENEWAL again  | CONSIDER document_requested | idv_document_requested`

  for (const line of table.trim().split('\n')) {
    test(line.trim().replace(/\s+/g, ' '), () => {
      const [phase = '', reported = '', expected] = line.split('|').map((part) => part.trim())
      const tried = {
        phase: phase.startsWith('FIRST') ? ('FIRST' as const) : ('RENEWAL' as const),
        re_initiated: phase.endsWith('again'),
        allowed_issuing_countries: ['ARE'],
      }
      assert.equal(triggerOf(reportOf(reported), tried), expected)
    })
  }

  test('every country will do for a tenant that names none', () => {
    const tried = { phase: 'FIRST', re_initiated: false, allowed_issuing_countries: [] } as const
    assert.equal(triggerOf({ result: 'CLEAR', issuing_country: 'FRA' }, tried), 'idv_clear')
  })
})

function reportOf(reported: string): Report {
  const words = reported.split(' ')
  const issuing_country = words.find((word) => /^[A-Z]{2,3}$/.test(word))
  const country = issuing_country === undefined ? {} : { issuing_country }
  if (words[0] === 'CLEAR') return { result: 'CLEAR', ...country }
  const outcome = outcomes.find((known) => known === words[1])
  assert.ok(outcome)
  return { result: 'CONSIDER', outcome, ...country }
}
