/** A transaction in the console: why it was decided so, its life, its entries and its messages. */

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { openIssuer } from '#test/support/issuer.ts'
import { keeper } from '#test/support/keeper.ts'
import { faultsOfAxe, openConsole, overflowOf } from './stage.ts'

const keep = keeper()
const stage = keep(await openConsole())
const first = await stage.openPage()
const email = await stage.signUp(first.page)
const api_key = await first.page.getByLabel('API key', { exact: true }).inputValue()
const session = await first.context.request.get(`${stage.home}/portal/v1/session`)
const tenant = { id: String((await session.json()).tenant.id), api_key }
await first.context.close()

const SHOP = { id: 'PALM1', name: 'Palm Books', mcc: '5942', city: 'Dubai', country: 'ARE' }
const ids = { paid: '', declined: '', refund: '' }
before(async () => {
  const { call, card } = await openIssuer(stage.world, tenant)
  const { card_id } = await card(500)
  const sale = { card_id, currency: 'AED', merchant: SHOP }
  const path = '/v1/simulate/authorizations'
  ids.paid = (await call('POST', path, { ...sale, amount: 120.5 })).body.id
  await call('POST', `${path}/${ids.paid}:increment`, { amount: 20 })
  await call('POST', `${path}/${ids.paid}:clear`)
  const refund = { transaction_id: ids.paid, amount: 30, currency: 'AED', merchant: SHOP }
  ids.refund = (await call('POST', '/v1/simulate/refunds', refund)).body.id
  ids.declined = (await call('POST', path, { ...sale, amount: 900, cvv2: '000' })).body.id
})

for (const [way, options] of [
  ['wide', { viewport: { width: 1440, height: 900 } }],
  ['on a phone', { viewport: { width: 390, height: 844 } }],
] as const) {
  test(`a transaction shows its life, entries and messages, ${way}`, async () => {
    const opened = await stage.openPage(options)
    const { page, faults } = opened
    await stage.signIn(opened, email, `/transactions/${ids.paid}`)
    const life = page.getByRole('region', { name: 'Events' })
    await life.getByText('Incremented').waitFor()
    await life.getByText('Held now').waitFor()
    await page.getByRole('region', { name: 'Refunds' }).getByText(ids.refund).waitFor()
    const entries = page.getByRole('table', { name: 'Entries' })
    await entries.getByText('Settlement with the network').waitFor()
    const messages = page.getByRole('region', { name: 'Network messages' })
    assert.equal(await messages.locator('details').count(), 6)
    await messages.getByText('Completion advice', { exact: true }).click()
    const fields = messages.getByRole('table', { name: '0220' })
    await fields.getByText('Primary account number').waitFor()
    await fields.getByRole('img', { name: 'masked' }).first().waitFor()
    assert.deepEqual(await faultsOfAxe(page), [])
    assert.deepEqual([faults, await overflowOf(page)], [[], 0])
    await opened.context.close()
  })
}

test('a declined one says why, and what would have passed, in both languages', async () => {
  const opened = await stage.openPage()
  const { page } = opened
  await stage.signIn(opened, email, `/transactions/${ids.declined}`)
  const path = page.getByRole('region', { name: 'Decision path' })
  await path.getByText('The right CVV2 would pass.').waitFor()
  await path.getByText('At most', { exact: false }).waitFor()
  assert.match((await path.textContent()) ?? '', /At most \S?AED.389\.50\S? would have passed/)
  await path.getByRole('button', { name: 'Show all checks' }).click()
  await path.getByText('Tries of the PIN').waitFor()
  await opened.context.close()
  const arabic = await stage.openPage({ locale: 'ar', viewport: { width: 390, height: 844 } })
  await stage.signIn(arabic, email, `/transactions/${ids.declined}`)
  await arabic.page.getByText('تُقبل قيمة CVV2 الصحيحة.').waitFor()
  assert.deepEqual(await faultsOfAxe(arabic.page), [])
  assert.equal(await overflowOf(arabic.page), 0)
  await arabic.context.close()
})

test('the list is searched by amount and code, which the address keeps', async () => {
  const opened = await stage.openPage()
  const { page } = opened
  await stage.signIn(opened, email, '/transactions?amount=900')
  const table = page.getByRole('table', { name: 'Transactions' })
  await table.getByText('1022').waitFor()
  assert.equal(await table.getByRole('link').count(), 1)
  assert.match(await page.getByLabel('From', { exact: true }).inputValue(), /^\d{4}-\d\d-\d\d$/)
  await page.getByLabel('Status code').fill('0000')
  await page.getByLabel('Status code').press('Enter')
  await page.getByText('There are no transactions').waitFor()
  assert.match(page.url(), /amount=900.*status_code=0000/)
  await opened.context.close()
})
