/** Captures, refunds, payouts and the statement of a shop, and what the operator does to payouts. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { capture, createMerchant } from '#test/support/contract/belongings.ts'
import { keeper } from '#test/support/keeper.ts'
import { payOut } from '#test/support/network/payouts.ts'
import { buy, listenForCards } from '#test/support/network/purchases.ts'
import { memberWith } from '#test/support/portal/browser.ts'
import { makePayer } from './payer.ts'
import { openConsole } from './stage.ts'
import {
  assertWell,
  dialogOf,
  FAR,
  filterOf,
  goTo,
  headed,
  press,
  regionOf,
  rowsOf,
  submit,
  titled,
  WAYS,
} from './ways.ts'

const keep = keeper()
const stage = keep(await openConsole())
const { world, home } = stage
keep(await listenForCards(world, Number(new URL(home).port)))

const FAILING = 'https://shop.example/events'
const STOPPED = 'https://shop.example/former'

/** Two endpoints: one fails, one is disabled. */
async function addEndpoints(tenant_id: string, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` }
  for (const url of [FAILING, STOPPED]) {
    const body = { url, events: ['ORDER_CAPTURED', 'PAYOUT_PAID'] }
    const added = await world.request('POST', '/api/v1.0/webhooks', body, { key: null, headers })
    const path = `/api/v1.0/webhooks/${added.body.webhook_id}`
    const stop = { enabled: false }
    if (url === STOPPED) await world.request('PUT', path, stop, { key: null, headers })
  }
  const { now } = await world.ctx(tenant_id)
  await world.db
    .updateTable('webhooks')
    .set({ failing_since: now })
    .where('tenant_id', '=', tenant_id)
    .where('endpoint', '=', FAILING)
    .execute()
}

/** A shop with one captured order of 10.00, refunded by 4.00, and its payout of 5.30. */
async function makeShop() {
  const { tenant, issuer, card, email } = await makePayer(world, { pci_compliant: true })
  const { merchant, ids } = await createMerchant(world, tenant.id)
  const operator = { key: world.operator_key }
  const fees = [{ currency: 'AED', percent: 2, fixed: 0, refund_fee: 0.5 }]
  await world.request('PUT', `/v1/operator/merchants/${ids.merchant}`, { fees }, operator)
  const { body } = await issuer.call('GET', `/v1/cards/${card.card_id}:reveal`)
  const reference = await buy(world, merchant.token, body)
  await capture(world, merchant, reference)
  const refund = { total: '4.00', currency: 'AED' }
  const headers = { authorization: `Bearer ${merchant.token}` }
  const path = `/api/v1.0/orders/${reference}/refund`
  await world.request('POST', path, refund, { key: null, headers })
  await addEndpoints(tenant.id, merchant.token)
  const id = await payOut(world, tenant.id)
  return { email, reference, tenant, merchant_id: ids.merchant, id }
}

for (const { way, t, options } of new Set([...WAYS, FAR])) {
  const { email, reference, tenant, merchant_id, id } = await makeShop()
  const opened = await stage.open(email, '/orders', options)
  const { page } = opened
  const words = t.payouts

  test(`totals are those of the orders that are found ${way}`, async () => {
    const totals = rowsOf(page, t.orders.totals.title)
    await totals.getByText('AED 4.00').waitFor()
    await assertWell(opened)
    const currency = await filterOf(page, t, t.fields.currency)
    await currency.fill('usd')
    await currency.press('Enter')
    await page.getByText(t.filters.no_fit, { exact: true }).waitFor()
    // They are read by a call of their own, beside that of the list.
    await totals.waitFor({ state: 'detached' })
    await currency.fill('aed')
    await currency.press('Enter')
    await totals.getByText('AED 4.00').waitFor()
    const least = await filterOf(page, t, t.orders.min_total)
    await least.fill('ten')
    await least.press('Enter')
    await page.getByText(t.filters.no_fit, { exact: true }).waitFor()
    await assertWell(opened)
  })

  for (const [kind, amount] of [
    ['captures', 'AED 10.00'],
    ['refunds', 'AED 4.00'],
  ] as const) {
    test(`${kind} are listed with their fees ${way}`, async () => {
      await page.goto(`${home}/console/${kind}`)
      await titled(page, t.pages[kind])
      await rowsOf(page, t.pages[kind]).getByText(amount).waitFor()
      await assertWell(opened)
    })
  }

  test(`endpoints of the shop are listed, and which of them fail ${way}`, async () => {
    await page.goto(`${home}/console/endpoints`)
    await titled(page, t.pages.endpoints)
    const rows = rowsOf(page, t.pages.endpoints)
    const failing = rows.filter({ hasText: FAILING })
    await failing.getByText('ACTIVE').waitFor()
    await failing.locator('time').waitFor()
    // A date alone says nothing on a phone.
    assert.equal(await page.locator('main table').getAttribute('data-named'), 'true')
    await rows.filter({ hasText: STOPPED }).getByText('DISABLED').waitFor()
    await assertWell(opened)
  })

  test(`a payout leads to its captures and refunds ${way}`, async () => {
    await goTo(page, '/payouts', t.pages.payouts)
    const row = rowsOf(page, t.pages.payouts)
    await row.getByText('AED 5.30').waitFor()
    await assertWell(opened)
    await row.getByRole('link').click()
    await headed(page, 'PENDING')
    await rowsOf(page, words.captures).getByText(reference).waitFor()
    await rowsOf(page, words.refunds).getByText('AED 4.00').waitFor()
    await regionOf(page, words.sums).getByText('−AED 4.00').waitFor()
    await assertWell(opened)
  })

  test(`the statement has each day and what is owed ${way}`, async () => {
    await page.goto(`${home}/console/payouts/statement`)
    await titled(page, t.pages.statement)
    const sums = rowsOf(page, words.statement.by_currency)
    await sums.getByText('AED 10.00').waitFor()
    assert.equal(await sums.getByText('AED 5.30').count(), 2)
    await assertWell(opened)
    await page.goto(`${home}/console/payouts/statement?from=2020-01-02&to=2020-01-01`)
    await page.getByText(t.filters.no_fit, { exact: true }).waitFor()
    await assertWell(opened)
  })

  const operator = await memberWith(world, 'operator_owner', null)
  const path = `/merchant-payouts?tenant_id=${tenant.id}`
  const other = await stage.open(operator.email, path, options)

  test(`the operator marks a payout as failed, then as paid ${way}`, async () => {
    const { failed, paid, reason, transfer } = t.operator.merchant_payouts
    const row = rowsOf(other.page, t.pages.merchant_payouts)
    const open = (name: string) => row.getByRole('button', { name: new RegExp(`^${name}`) }).click()
    await row.getByText('PENDING').waitFor()
    await assertWell(other)
    await open(failed)
    const failing = dialogOf(other.page, failed)
    await failing.getByLabel(reason).fill('no such account')
    await assertWell(other)
    await submit(failing, failed)
    await row.getByText('FAILED').waitFor()
    await open(paid)
    const paying = dialogOf(other.page, paid)
    await paying.getByLabel(transfer).fill('T-1')
    await submit(paying, paid)
    await row.getByText('T-1').waitFor()
    await assertWell(other)
    await page.goto(`${home}/console/payouts/${id}`)
    await headed(page, 'PAID')
    await page.getByText('T-1').waitFor()
  })

  test(`the operator changes the fees of a merchant ${way}`, async () => {
    const { change_fees, add_currency, fixed } = t.operator.merchants
    await other.page.goto(`${home}/console/merchants/${merchant_id}`)
    const rows = rowsOf(other.page, t.operator.merchants.fees)
    await rows.getByText('2%').waitFor()
    await assertWell(other)
    await press(other.page, change_fees)
    const dialog = dialogOf(other.page, change_fees)
    await dialog.getByRole('button', { name: add_currency }).click()
    await dialog.getByLabel(t.fields.currency).last().fill('KWD')
    await dialog.getByLabel(fixed).last().fill('0.125')
    await assertWell(other)
    await submit(dialog, t.actions.save)
    await rows.getByText('KWD 0.125').waitFor()
  })
}
