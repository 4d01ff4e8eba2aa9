/** A reconciliation with differences, which a sandbox that works does not have. */

import type { Page } from 'playwright-core'
import type { Scene } from '../scene.ts'

const PATH = '**/v1/operator/reconciliation*'

/** Shows the books of the day as if some of their entries differed. */
export async function plantDifferences(page: Page, { ids }: Scene): Promise<void> {
  const { tenant: tenant_id, merchant: merchant_id, approved } = ids
  const time = new Date().toISOString()
  const side = (amount: number) => ({
    id: approved,
    tenant_id,
    amount,
    currency: 'AED',
    time,
  })
  const entry = { tenant_id, merchant_id, detail: '' }
  const differences = [
    {
      kind: 'missing_capture',
      entry: 'CAPTURE',
      order_reference: 'ORDER-1001',
      ...entry,
      rrn: 'XOIURH3FG1YJ',
      orders: side(89),
      acquirer: side(89),
    },
    {
      kind: 'doubled_refund',
      entry: 'REFUND',
      order_reference: 'ORDER-1002',
      ...entry,
      rrn: 'DCXTRSDYQNTR',
      issuer: side(40),
    },
    {
      kind: 'other_amount',
      entry: 'CAPTURE',
      order_reference: 'ORDER-1002',
      ...entry,
      rrn: 'DCXTRSDYQNTR',
      orders: side(240.5),
      acquirer: side(240.5),
      issuer: side(204.5),
    },
    {
      kind: 'other_day',
      entry: 'CAPTURE',
      order_reference: 'ORDER-1003',
      ...entry,
      rrn: '7PLWZ2MMK0QA',
      orders: side(32),
      acquirer: side(32),
      issuer: side(32),
    },
    {
      kind: 'unknown_reference',
      entry: 'AUTHORIZATION',
      ...entry,
      rrn: '0000QWERTY99',
      issuer: side(415.75),
    },
  ]
  const open = [
    {
      reason: 'unanswered',
      entry: 'CAPTURE',
      order_reference: 'ORDER-1004',
      ...entry,
      rrn: 'A8F3KD02MXTS',
      orders: side(415.75),
    },
  ]
  await page.route(PATH, async (route) => {
    const response = await route.fetch()
    const report = Object(await response.json())
    const found = { status: 'DIFFERS', differences_count: differences.length, differences }
    await route.fulfill({ response, json: { ...report, ...found, open_count: 1, open } })
  })
  await page.reload()
  await page.locator('main table').nth(2).waitFor()
}
