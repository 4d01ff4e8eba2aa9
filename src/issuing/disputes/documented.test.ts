/** docs/disputes.md has the tables of the slice. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { answers } from '#sandbox/scheme/rules.ts'
import { credits, placesOf, positions, postingsOf } from './rules/money.ts'
import { reasonCodes, schemes, terms } from './rules/reasons.ts'
import { type DisputeStatus, finalStatuses, moves, type Outcome, statuses } from './rules/states.ts'

const TENANT = '00000000-0000-7000-8000-000000000001'

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

test('the picture of the money has the transfers of each move but rejections and expiries', () => {
  const drawn = [...page.matchAll(/^ {2}([A-Z_]+) -->\|"?([A-Z]+)(.*?)"?\| ([A-Z_]+)$/gm)]
  const wanted = moves.filter(({ step }) => step !== 'REJECT' && step !== 'EXPIRE')
  const represented = ['REPRESENTED', 'PRE_ARBITRATION', 'ACCEPTED', 'LOST']
  const at = (status: DisputeStatus, outcome: Outcome | null) => {
    const amounts = { amount: 100n, settled: 100n, credited: 0n, recovered: 0n }
    const taken = { represented: represented.includes(status) ? 60n : 0n }
    const of = { ...amounts, ...taken, status, outcome, provisional_credit: credits[2] }
    return { ...of, ...placesOf(of) }
  }
  const own = { transaction_id: 'one', account_id: 'account', currency: 'AED' }
  const transfers = wanted.map(({ from, step, to, outcome = null }) => {
    const before = { ...at(from, null), ...own }
    const { transfers: made } = postingsOf(TENANT, before, at(to, outcome), 100n)
    const texts = made.map(({ kind, amount }) => `<br/>${kind} ${amount}`)
    return `${from} ${step}${texts.join('')} ${to}`
  })
  const pictured = drawn.map(([, from, step, texts, to]) => `${from} ${step}${texts} ${to}`)
  assert.deepEqual(pictured.toSorted(), transfers.toSorted())
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
