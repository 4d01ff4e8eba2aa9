/** The books of a day: the operator sees that they agree, what differs, and what is under way. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { sql } from 'kysely'
import { importSettlement } from '#src/audit/settlement/import.ts'
import { settlementOf } from '#src/audit/settlement/settlement.ts'
import { createMerchant } from '#test/support/contract/belongings.ts'
import { parseCsv } from '#test/support/csv.ts'
import { keeper } from '#test/support/keeper.ts'
import { buy, listenForCards } from '#test/support/network/purchases.ts'
import { memberWith } from '#test/support/portal/browser.ts'
import { moveClockTo } from '#test/support/time/moved_clock.ts'
import { makePayer } from './payer.ts'
import { openConsole } from './stage.ts'
import {
  assertWell,
  FAR,
  fill,
  filterOf,
  headed,
  press,
  regionOf,
  rowsOf,
  titled,
  WAYS,
} from './ways.ts'

const keep = keeper()
const stage = keep(await openConsole())
const { world, home } = stage
keep(await listenForCards(world, Number(new URL(home).port)))
const { email } = await memberWith(world, 'operator_owner', null)

// Noon, so that no entry is made over midnight.
const noon = new Date(Date.now() + 24 * 60 * 60 * 1000)
noon.setUTCHours(12, 0, 0, 0)
const date = noon.toISOString().slice(0, 10)

/** A tenant whose shop has sold twice; returns the references of the orders. */
async function makeShop() {
  const { tenant, issuer, card } = await makePayer(world, { pci_compliant: true })
  await moveClockTo(world, tenant, noon)
  const { merchant } = await createMerchant(world, tenant.id)
  const { body } = await issuer.call('GET', `/v1/cards/${card.card_id}:reveal`)
  return {
    tenant,
    token: merchant.token,
    orders: [await buy(world, merchant.token, body), await buy(world, merchant.token, body)],
  }
}

for (const { way, t, options } of WAYS) {
  const words = t.operator.reconciliation
  const { tenant, orders } = await makeShop()
  const opened = await stage.open(email, `/reconciliation?date=${date}`, options)
  const { page } = opened
  const books = rowsOf(page, words.books)

  test(`a day without payments has nothing to compare ${way}`, async () => {
    await titled(page, t.pages.reconciliation)
    await (await filterOf(page, t, words.date)).fill('2020-01-01')
    await page.getByText(words.none, { exact: true }).waitFor()
    await assertWell(opened)
  })

  test(`books that agree say so, with their counts and sums, ${way}`, async () => {
    await (await filterOf(page, t, words.date)).fill(date)
    await (await filterOf(page, t, t.operator.tenant)).selectOption(tenant.id)
    await page.waitForURL(new RegExp(`date=${date}&tenant=${tenant.id}`))
    await page.getByText(words.agree, { exact: true }).waitFor()
    const shown = await books.allTextContents()
    assert.deepEqual(
      shown.map((text) => text.replace(/\u00a0/g, ' ')),
      [words.names.ORDERS, words.names.ACQUIRER, words.names.ISSUER].map(
        (name) => `${name}2AED 20.000AED 0.000AED 0.00`,
      ),
    )
    await assertWell(opened)
  })

  test(`differences and what is under way have their kind, sides and links ${way}`, async () => {
    const [reference = '', other = ''] = orders
    const message = (of: string) => sql`(select authorization_id from orders
      where tenant_id = ${tenant.id} and reference = ${of})`
    await sql`update acquirer_messages set fields = fields || '{"4": "000000001001"}'
      where tenant_id = ${tenant.id} and id = ${message(reference)}`.execute(world.db)
    await sql`update acquirer_messages set status = 'PENDING'
      where tenant_id = ${tenant.id} and id = ${message(other)}`.execute(world.db)
    await page.reload()
    await page.getByText(fill(words.differ, { n: 1 }), { exact: true }).waitFor()
    const [row = ''] = await rowsOf(page, words.differences).allTextContents()
    assert.ok(row.startsWith(`${words.kinds.other_amount}${words.entries.AUTHORIZATION}`), row)
    assert.match(row.replace(/\u00a0/g, ' '), /AED 10\.00AED 10\.01AED 10\.00/)
    const [open = ''] = await rowsOf(page, words.open).allTextContents()
    assert.ok(open.startsWith(words.reasons.unanswered), open)
    await assertWell(opened)
  })

  test(`the file has the whole report ${way}`, async () => {
    const downloaded = page.waitForEvent('download')
    await press(page, t.downloads.export)
    const file = await downloaded
    assert.equal(file.suggestedFilename(), `reconciliation-${date}.csv`)
    const [head = [], ...lines] = parseCsv(readFileSync(await file.path(), 'utf8'))
    const records = lines.map((line) => line[head.indexOf('record')])
    assert.deepEqual(records.slice(0, 3), ['DIFFERENCE', 'OPEN', 'SUM'])
  })

  test(`a link opens the transaction for the operator, who acts for its tenant, ${way}`, async () => {
    const differences = regionOf(page, words.differences)
    await differences.getByRole('link', { name: words.transaction }).click()
    await headed(page, 'PENDING')
    await regionOf(page, t.acting.title).waitFor()
    await page.goBack()
    await page.getByText(fill(words.differ, { n: 1 }), { exact: true }).waitFor()
  })
}

test(`a settlement file is listed with its differences and leads to the books ${FAR.way}`, async () => {
  const { t, options } = FAR
  const words = t.operator.settlements
  const opened = await stage.open(email, '/settlements', options)
  const { page } = opened
  await page.getByText(words.none, { exact: true }).waitFor()
  await assertWell(opened)
  const { token, orders } = await makeShop()
  const bearer = { key: null, headers: { authorization: `Bearer ${token}` } }
  await world.request('POST', `/api/v1.0/orders/${orders[0]}/capture`, {}, bearer)
  await importSettlement(world.db, otherSettlement, () => {})
  await page.reload()
  const files = rowsOf(page, t.pages.settlements)
  await files.getByText('DIFFERS').waitFor()
  assert.match(String(await files.textContent()).replace(/\u00a0/g, ' '), /1AED 10\.01/)
  await assertWell(opened)
  await files.locator(`time[datetime="${date}"]`).click()
  await rowsOf(page, words.findings).getByText(words.kinds.other_amount).waitFor()
  await assertWell(opened)
  await page.getByRole('link', { name: words.reconcile }).click()
  await titled(page, t.pages.reconciliation)
  assert.equal(new URL(page.url()).searchParams.get('date'), date)
})

/** The settlement file of the day with another amount in it. */
async function* otherSettlement(): AsyncGenerator<Buffer> {
  for await (const part of settlementOf(world.db, date)) {
    yield Buffer.from(part.replaceAll('10.00', '10.01'))
  }
}
