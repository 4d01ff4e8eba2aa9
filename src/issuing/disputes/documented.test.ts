/** docs/disputes.md has the tables of the slice. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { answers } from '#sandbox/scheme/rules.ts'
import { credits, placesOf, positions } from './rules/money.ts'
import { reasonCodes, schemes, terms } from './rules/reasons.ts'
import { finalStatuses, moves, statuses } from './rules/states.ts'

const page = readFileSync(new URL('../../../docs/disputes.md', import.meta.url), 'utf8')
const hasRow = (...cells: readonly (string | number)[]) => {
  const row = `| ${cells.join(' | ')} |`
  assert.ok(page.includes(row), `docs/disputes.md lacks ${row}`)
}

test('the picture has each move but withdrawals and expiries', () => {
  for (const { from, step, to } of moves) {
    if (step !== 'WITHDRAW' && step !== 'EXPIRE') {
      assert.ok(page.includes(`  ${from} --> ${to}: ${step}\n`), `${from} ${step}`)
    }
  }
  const arrows = page.match(/^ {2}[A-Z_]+ --> /gm)?.length
  const drawn = moves.filter(({ step }) => step !== 'WITHDRAW' && step !== 'EXPIRE')
  assert.equal(arrows, drawn.length)
  assert.deepEqual(finalStatuses, ['WON', 'LOST', 'ACCEPTED', 'WITHDRAWN', 'EXPIRED'])
})

test('the table of money has what each state has moved', () => {
  const amounts = { amount: 100n, settled: 100n, represented: 60n, credited: 0n, recovered: 0n }
  for (const status of statuses) {
    if (!(status in positions)) continue
    const at = credits.map((provisional_credit) =>
      placesOf({ ...amounts, status, outcome: null, provisional_credit }),
    )
    hasRow(status, Number(at[0]?.recovered), ...at.map(({ credited }) => Number(credited)))
  }
})

test('the codes of the schemes and their days are those of the table', () => {
  for (const scheme of schemes) {
    const codes = reasonCodes.filter((row) => row.scheme === scheme).map(({ code }) => code)
    hasRow(scheme, [...new Set(codes)].join(', '))
  }
  const { MASTERCARD, VISA } = terms
  const days = (of: 'answer' | 'verdict') => `${MASTERCARD[of]} Mastercard, ${VISA[of]} Visa`
  assert.ok(page.includes(`| CHARGED_BACK | merchant's side | ${days('answer')} |`))
  assert.ok(page.includes(`| PRE_ARBITRATION | merchant's side | ${days('verdict')} |`))
  const ours = `${MASTERCARD.arbitrate} Mastercard, ${VISA.arbitrate} others`
  assert.ok(page.includes(`| REPRESENTED | issuer | ${ours} |`))
})

test('the answers of the simulated scheme are those of its rules', () => {
  const rows = page.match(/^\| …\d\d .*$/gm) ?? []
  assert.equal(rows.length, Object.keys(answers).length)
  for (const [cents, { first, half, verdict }] of Object.entries(answers)) {
    const row = rows.find((one) => one.startsWith(`| …${cents.padStart(2, '0')} `)) ?? ''
    const word = first === 'REPRESENT' ? (half ? 'of half' : 'of all') : first
    assert.ok(row.includes(word), row)
    if (first === 'REPRESENT') assert.ok(row.endsWith(`${verdict} |`), row)
  }
})
