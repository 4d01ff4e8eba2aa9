/** Orders of a shop: the list with its filters, one order, its capture and its refund. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asker, createMerchant } from '#test/support/contract/belongings.ts'
import { keeper } from '#test/support/keeper.ts'
import { buy, listenForCards } from '#test/support/network/purchases.ts'
import { faultsOfAxe, openConsole, overflowOf } from './stage.ts'

const keep = keeper()
const stage = keep(await openConsole())
const { world, home } = stage
keep(await listenForCards(world, Number(new URL(home).port)))

const opened = await stage.openPage({ viewport: { width: 1440, height: 900 } })
keep({ close: () => opened.context.close() })
const { page, context, faults } = opened
const email = await stage.signUp(page)

test('without a shop the page says what makes one', async () => {
  await page.goto(`${home}/console/orders`)
  await page.getByText('This organization has no single shop').waitFor()
  assert.deepEqual(await faultsOfAxe(page), [])
})

test('orders are listed newest first, and found by status and reference', async () => {
  const { tenant } = await (await context.request.get(`${home}/portal/v1/session`)).json()
  const { merchant } = await createMerchant(world, tenant.id)
  const operate = asker(world, world.operator_key)
  const settings = `/v1/operator/tenants/${tenant.id}/settings`
  await operate('PUT', settings, { pci_compliant: true })
  const key = (
    await operate('POST', `/v1/operator/tenants/${tenant.id}/keys`, {
      permissions: ['read', 'write', 'cards:reveal'],
    })
  ).key
  const ask = asker(world, key)
  const product = (await ask('GET', '/v1/cardproducts')).data[0]
  const user = await ask('POST', '/v1/users', { first_name: 'Layla', last_name: 'Aziz' })
  const body = { user_id: user.id, card_product_id: product.id, card_type: 'VIRTUAL' }
  const { id, account_id, status } = await ask('POST', '/v1/cards', body)
  if (status !== 'ACTIVE') {
    const change = { status: 'ACTIVE', status_reason_code: 'a0' }
    await ask('PUT', `/v1/cards/${id}:statuschange`, change)
  }
  const load = { currency: 'AED', amount: 100 }
  await ask('POST', `/v1/accounts/${account_id}:loadfunds`, load)
  const card = await ask('GET', `/v1/cards/${id}:reveal`)
  const [first, second] = [
    await buy(world, merchant.token, card),
    await buy(world, merchant.token, card),
  ]
  await page.reload()
  const rows = page.getByRole('table', { name: 'Orders' }).getByRole('row')
  // The rows of a list that is loading have no text yet.
  await rows.nth(1).getByText(second).waitFor()
  await rows.nth(2).getByText(first).waitFor()
  await page.getByLabel('Status').selectOption('COMPLETED')
  await page.getByText('No orders', { exact: true }).waitFor()
  await page.getByLabel('Status').selectOption('')
  await page.getByLabel('Reference').fill(first)
  await page.getByLabel('Reference').press('Enter')
  await rows.nth(2).waitFor({ state: 'detached' })
  assert.match(page.url(), new RegExp(`reference=${first}`))
  assert.deepEqual(await faultsOfAxe(page), [])
  await rows.getByRole('link', { name: first }).click()
  await page.getByRole('heading', { level: 1, name: first }).waitFor()
})

test('an open order is captured, and then refunded in part', async () => {
  await page.getByRole('button', { name: 'Capture' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Capture' }).click()
  await page.getByText('COMPLETED').first().waitFor()
  await page.getByRole('button', { name: 'Refund' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/Amount/).fill('4.00')
  await dialog.getByRole('button', { name: 'Refund' }).click()
  await page.getByText('AED 4.00').waitFor()
  assert.deepEqual(await faultsOfAxe(page), [])
})

test('a checkout is created, and its page leads to the order', async () => {
  await page.goto(`${home}/console/orders`)
  await page.getByRole('button', { name: 'Create a checkout' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Create a checkout' }).click()
  const link = page.getByRole('link', { name: 'Open the payment page' })
  const path = await link.getAttribute('href')
  assert.ok(path)
  assert.ok(path.startsWith(`${home}/checkout?id=`))
  const other = await context.newPage()
  await other.goto(path)
  await other.getByLabel('Card number').waitFor()
  assert.deepEqual(await faultsOfAxe(other), [])
  await other.close()
})

test('the pages fit a phone, in Arabic too', async () => {
  const {
    context: own,
    page: phone,
    ...rest
  } = await stage.openPage({
    viewport: { width: 390, height: 844 },
    locale: 'ar',
  })
  await stage.signIn({ context: own, page: phone, ...rest }, email, '/orders')
  await phone.getByRole('table').getByRole('link').first().click()
  await phone.getByRole('heading', { level: 1 }).getByText('-').waitFor()
  assert.ok((await overflowOf(phone)) <= 0)
  assert.deepEqual(await faultsOfAxe(phone), [])
  assert.deepEqual(rest.faults, [])
  assert.deepEqual(faults, [])
  await own.close()
})
