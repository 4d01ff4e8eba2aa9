/** Settlement files, which are imported on the database: the API of a sandbox has no way to. */

import type { Page } from 'playwright-core'
import type { Scene } from '../scene.ts'

const PATH = '**/v1/operator/settlements**'
const AGREEING = '01900000-0000-7000-8000-000000000001'
const DIFFERING = '01900000-0000-7000-8000-000000000002'

const fileOf = (id: string, acquirer_id: string, date: string) => ({
  id,
  acquirer_id,
  date,
  file: `${acquirer_id}-${date.replaceAll('-', '')}`,
  sha256: '6c8f3bc61cc44ba2ce424f5b4813956a0dbd406865f417655da8568116ad8e54',
  over_midnight: 0,
  created: new Date().toISOString(),
})

/** Answers as if the files of two days had been imported, and reads the page anew. */
export async function plantSettlements(page: Page, { ids }: Scene): Promise<void> {
  const issuer = { tenant_id: ids.tenant, transaction_id: ids.approved }
  const at = { time: new Date().toISOString() }
  const record = (number: number, amount: number) => ({
    number,
    stan: String(number).padStart(6, '0'),
    amount,
    currency: 'AED',
  })
  const posted = (amount: number) => ({ ...issuer, ...at, amount, currency: 'AED' })
  const findings = [
    {
      kind: 'other_amount',
      type: 'CAPTURE',
      rrn: 'DCXTRSDYQNTR',
      detail: '',
      record: record(2, 240.5),
      issuer: posted(204.5),
    },
    {
      kind: 'not_in_file',
      type: 'REFUND',
      rrn: 'DCXTRSDYQNTR',
      detail: '',
      issuer: posted(40),
    },
    {
      kind: 'unknown',
      type: 'CAPTURE',
      rrn: '0000QWERTY99',
      detail: '',
      record: record(418, 415.75),
    },
  ]
  const sum = (type: string, currency: string, count: number, amount: number) => ({
    type,
    currency,
    count,
    amount,
  })
  const differing = {
    ...fileOf(DIFFERING, '60400000001', ids.day),
    records: 431,
    status: 'DIFFERS',
    findings_count: findings.length,
    sums: [
      sum('CAPTURE', 'AED', 418, 38_214.25),
      sum('CAPTURE', 'JPY', 7, 91_200),
      sum('REFUND', 'AED', 6, 402.5),
    ],
    findings_by_kind: findings.map(({ kind }) => ({ kind, count: 1 })),
    over_midnight: 1,
  }
  const agreeing = {
    ...fileOf(AGREEING, '60400000001', '2026-11-01'),
    records: 380,
    status: 'AGREES',
    findings_count: 0,
    findings_by_kind: [],
    sums: [sum('CAPTURE', 'AED', 377, 30_119), sum('REFUND', 'AED', 3, 96)],
  }
  const list = { data: [differing, agreeing], has_more: false }
  await page.route(PATH, async (route) => {
    const { pathname } = new URL(route.request().url())
    const of = (id: string) => pathname.endsWith(id)
    const one = of(DIFFERING) ? { ...differing, findings } : { ...agreeing, findings: [] }
    await route.fulfill({ json: of('/settlements') ? list : one })
  })
  await page.reload()
  await page.locator('main tbody a').nth(1).waitFor()
}
