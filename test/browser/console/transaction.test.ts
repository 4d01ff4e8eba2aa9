/** A transaction in the console: why it was decided so, its life, its entries and its messages. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Issuer } from '#test/support/issuer.ts'
import { keeper } from '#test/support/keeper.ts'
import { makePayer } from './payer.ts'
import { openConsole } from './stage.ts'
import { assertWell, FAR, regionOf, rowsOf, shape, WAYS } from './ways.ts'
import type { Words } from './words.ts'

const keep = keeper()
const stage = keep(await openConsole())

const SHOP = { id: 'PALM1', name: 'Palm Books', mcc: '5942', city: 'Dubai', country: 'ARE' }

/** A purchase with its increment, clearing and refund, and one that is declined. */
async function makePayments() {
  const { issuer, card, email } = await makePayer(stage.world)
  const { call } = issuer
  const sale = { card_id: card.card_id, currency: 'AED', merchant: SHOP }
  const path = '/v1/simulate/authorizations'
  const paid: string = (await call('POST', path, { ...sale, amount: 120.5 })).body.id
  await call('POST', `${path}/${paid}:increment`, { amount: 20 })
  await call('POST', `${path}/${paid}:clear`)
  const given = { transaction_id: paid, amount: 30, currency: 'AED', merchant: SHOP }
  const refund: string = (await call('POST', '/v1/simulate/refunds', given)).body.id
  const wrong = { ...sale, amount: 900, cvv2: '0000' }
  const declined: string = (await call('POST', path, wrong)).body.id
  return { email, paid, refund, declined, often: await refundOften(issuer) }
}

/** A purchase with more refunds than a page, behind 200 credits of its card without a purchase. */
async function refundOften({ call, card }: Issuer) {
  const { card_id } = await card(100)
  const sale = { card_id, currency: 'AED', merchant: SHOP }
  const path = '/v1/simulate/authorizations'
  const id: string = (await call('POST', path, { ...sale, amount: 60 })).body.id
  await call('POST', `${path}/${id}:clear`)
  const back = async (body: object): Promise<string> =>
    (await call('POST', '/v1/simulate/refunds', { currency: 'AED', amount: 1, ...body })).body.id
  const first = await back({ transaction_id: id })
  for (let more = 0; more < 50; more++) await back({ transaction_id: id })
  await Promise.all(Array.from({ length: 200 }, () => back({ card_id, merchant: SHOP })))
  return { id, first }
}
const { email, paid, refund, declined, often } = await makePayments()

/** Every part of the page of the purchase. */
async function assertLife(page: Page, t: Words): Promise<void> {
  const life = regionOf(page, t.transactions.history)
  await life.getByText(t.transactions.events.INCREMENTED).waitFor()
  await life.getByText(t.transactions.held, { exact: true }).waitFor()
  await regionOf(page, t.transactions.refunds).getByText(refund).waitFor()
  const entries = rowsOf(page, t.transactions.entries)
  const settlement = t.transactions.account_kinds.SETTLEMENT
  await entries.filter({ hasText: settlement }).first().waitFor()
  const table = page.getByRole('table', { name: t.transactions.entries, exact: true })
  const [, , , debits, credits] = await table.locator('tfoot td').allTextContents()
  assert.match(debits ?? '', /^AED/)
  assert.equal(credits, debits)
  const messages = regionOf(page, t.wire.title)
  // They are read by a call of their own.
  await messages.locator('details').nth(5).waitFor()
  assert.equal(await messages.locator('details').count(), 6)
  await messages.getByText(t.wire.types['0220'], { exact: true }).click()
  const fields = messages.getByRole('table', { name: '0220' })
  await fields.getByText('Primary account number').waitFor()
  await fields.getByRole('img', { name: t.wire.masked }).first().waitFor()
}

for (const { way, t, options } of WAYS) {
  const opened = await stage.open(email, `/transactions/${paid}`, options)
  const { page } = opened
  const visit = (path: string) => page.goto(`${stage.home}/console/transactions${path}`)

  test(`a transaction shows its life, entries and messages ${way}`, async () => {
    await assertLife(page, t)
    await assertWell(opened)
  })

  test(`a declined one says why, and what would have passed, ${way}`, async () => {
    await visit(`/${declined}`)
    const path = regionOf(page, t.transactions.path)
    await path.getByText(t.checks.known.card_verification.passes).waitFor()
    const most = path.getByText(shape(t.checks.most))
    assert.match((await most.textContent()) ?? '', /AED.389\.50/)
    await page.getByText(t.transactions.no_entries_declined, { exact: true }).waitFor()
    await assertWell(opened)
    await path.getByRole('button', { name: t.simulator.all_checks, exact: true }).click()
    await path.getByText(t.checks.known.pin_tries.name, { exact: true }).waitFor()
    await assertWell(opened)
  })

  test(`all refunds of a purchase are shown, page by page, ${way}`, async () => {
    await visit(`/${often.id}`)
    const refunds = regionOf(page, t.transactions.refunds)
    await refunds.getByRole('button', { name: t.actions.more, exact: true }).click()
    await refunds.getByText(often.first).waitFor()
    assert.equal(await refunds.getByRole('listitem').count(), 51)
    await assertWell(opened)
  })

  test(`the list is searched by amount and code, which the address keeps, ${way}`, async () => {
    await visit('?amount=900')
    const rows = rowsOf(page, t.pages.transactions)
    await rows.getByText('1022').waitFor()
    assert.equal(await rows.count(), 1)
    const day = page.getByLabel(t.transactions.filters.first, { exact: true })
    assert.match(await day.inputValue(), /^\d{4}-\d\d-\d\d$/)
    await assertWell(opened)
    const code = page.getByLabel(t.transactions.filters.status_code, { exact: true })
    await code.fill('0000')
    await code.press('Enter')
    await page.getByText(t.filters.no_fit, { exact: true }).waitFor()
    assert.match(page.url(), /amount=900.*status_code=0000/)
    await assertWell(opened)
  })
}

test(`a transaction fits ${FAR.way}`, async () => {
  const opened = await stage.open(email, `/transactions/${paid}`, FAR.options)
  await assertLife(opened.page, FAR.t)
  await assertWell(opened)
})
