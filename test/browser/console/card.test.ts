/** The page of a card: its limits, its declined payments, its switches, its replacement. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { asker } from '#test/support/contract/belongings.ts'
import { keeper } from '#test/support/keeper.ts'
import { openConsole } from './stage.ts'
import {
  assertWell,
  dialogOf,
  FAR,
  fill,
  focused,
  headed,
  press,
  regionOf,
  rowsOf,
  submit,
  tabTo,
  WAYS,
} from './ways.ts'
import type { Words } from './words.ts'

const keep = keeper()
const stage = keep(await openConsole())
const { world, home } = stage

type Ask = ReturnType<typeof asker>

async function makeCard(ask: Ask, card_type: 'VIRTUAL' | 'PHYSICAL') {
  const [product] = (await ask('GET', '/v1/cardproducts')).data
  const user = await ask('POST', '/v1/users', { first_name: 'Layla', last_name: 'Aziz' })
  const order = { user_id: user.id, card_product_id: product.id, card_type }
  const card = await ask('POST', '/v1/cards', order)
  if (card_type === 'VIRTUAL' && card.status !== 'ACTIVE') {
    const active = { status: 'ACTIVE', status_reason_code: 'A0' }
    await ask('PUT', `/v1/cards/${card.id}:statuschange`, active)
  }
  const { currency } = product
  await ask('POST', `/v1/accounts/${card.account_id}:loadfunds`, { currency, amount: 900 })
  return { card, product, currency }
}

const money = (currency: string, amount: string) => `${currency}\u00a0${amount}`

/** Adds a limit of a day on the page of the card, by keyboard alone. */
async function addLimit(page: Page, t: Words): Promise<void> {
  const add = page.getByRole('button', { name: t.limits.add, exact: true })
  await tabTo(page, add, 120)
  await page.keyboard.press('Enter')
  const dialog = dialogOf(page, t.limits.add)
  await focused(dialog.getByLabel(t.controls.description, { exact: true }))
  await page.keyboard.type('A day')
  await dialog.getByLabel(t.controls.most, { exact: true }).fill('500')
  await dialog.getByLabel(t.controls.times, { exact: true }).fill('9')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'hidden' })
}

for (const { way, t, options } of WAYS.includes(FAR) ? WAYS : [...WAYS, FAR]) {
  const opened = await stage.openPage(options)
  const { page } = opened
  await stage.signUp(page, t)
  const ask = asker(world, await page.getByLabel(t.account.key, { exact: true }).inputValue())
  const limitsOf = () => page.getByRole('list', { name: t.limits.velocity, exact: true })

  test(`a limit is added on the card, and shows what it leaves and until when, ${way}`, async () => {
    const { card, product, currency } = await makeCard(ask, 'VIRTUAL')
    const wide = { type: 'PER_TRANSACTION', currency, max_amount: 800, description: 'Of all' }
    const common = await ask('POST', '/v1/velocitylimits', wide)
    await ask('POST', `/v1/cardproducts/${product.id}/velocitylimits:link`, { ids: [common.id] })
    await page.goto(`${home}/console/cards/${card.id}`)
    const items = limitsOf().getByRole('listitem')
    await items.filter({ hasText: t.limits.of.product }).waitFor()
    await addLimit(page, t)
    await items.nth(1).waitFor()
    const purchase = { card_id: card.id, amount: 120, currency }
    await ask('POST', '/v1/simulate/authorizations', purchase)
    await page.reload()
    const own = items.filter({ hasText: 'A day' })
    const words = { spent: money(currency, '120.00'), most: money(currency, '500.00') }
    await own.getByText(fill(t.limits.spent, words), { exact: true }).waitFor()
    await own.getByText(fill(t.limits.spent, { spent: '1', most: '9' }), { exact: true }).waitFor()
    const left = fill(t.limits.left_now, { left: money(currency, '380.00') })
    await own.getByText(left, { exact: true }).waitFor()
    await own.getByText(t.limits.until).first().waitFor()
    assert.equal(await own.getByRole('progressbar').count(), 2)
    await page.getByText(t.shell.sandbox).waitFor()
    await assertWell(opened)
    await press(page, t.limits.unlink)
    await submit(dialogOf(page, t.limits.unlink), t.limits.unlink)
    await own.waitFor({ state: 'detached' })
    await ask('POST', `/v1/cardproducts/${product.id}/velocitylimits:unlink`, { ids: [common.id] })
  })

  test(`declines of a card are counted in words, ${way}`, async () => {
    const { card, currency } = await makeCard(ask, 'VIRTUAL')
    await ask('PUT', `/v1/cards/${card.id}/authsettings`, { ecommerce_non_3ds: false })
    const purchase = { card_id: card.id, amount: 20, currency }
    await ask('POST', '/v1/simulate/authorizations', { ...purchase, entry_mode: 'ECOMMERCE' })
    const shop = { ...purchase, amount: 5000, entry_mode: 'CHIP' }
    for (let time = 0; time < 2; time++) await ask('POST', '/v1/simulate/authorizations', shop)
    await page.goto(`${home}/console/cards/${card.id}`)
    const declines = regionOf(page, t.declines.title).getByRole('listitem')
    const funds = declines.filter({ hasText: t.declines.words.funds })
    await funds.getByText(fill(t.declines.times, { number: '2' }), { exact: true }).waitFor()
    const what = t.switches.ecommerce_non_3ds
    await declines.filter({ hasText: fill(t.declines.switch, { what }) }).waitFor()
    const rows = rowsOf(page, t.pages.transactions).filter({ hasText: 'DECLINED' })
    await rows.first().getByText(t.declines.words.funds, { exact: true }).waitFor()
    await assertWell(opened)
    await regionOf(page, t.declines.title).getByRole('link', { name: t.declines.all }).click()
    await page.waitForURL(/card_id=.*status=DECLINED/)
    await rowsOf(page, t.pages.transactions).nth(2).waitFor()
  })

  test(`a switch shows what the product forbids, and is put back by a press, ${way}`, async () => {
    const { card, product } = await makeCard(ask, 'VIRTUAL')
    await ask('PUT', `/v1/cardproducts/${product.id}`, { auth_settings: { atm: false } })
    await page.goto(`${home}/console/cards/${card.id}`)
    const switches = regionOf(page, t.switches.title)
    const forbidden = switches.getByRole('listitem').filter({ hasText: t.switches.atm }).first()
    await forbidden.getByRole('link', { name: t.switches.off_at_product }).waitFor()
    const what = t.switches.magstripe
    const stripe = switches.getByRole('switch', { name: what, exact: true })
    await stripe.click()
    const undo = switches.getByRole('button', { name: fill(t.switches.undo_of, { what }) })
    await undo.waitFor()
    assert.equal(await stripe.isChecked(), false)
    await assertWell(opened)
    await undo.click()
    await undo.waitFor({ state: 'detached' })
    await switches.getByRole('switch', { name: what, exact: true, checked: true }).waitFor()
    const stored = await ask('GET', `/v1/cards/${card.id}/authsettings`)
    assert.equal(stored.magstripe, true)
    await ask('PUT', `/v1/cardproducts/${product.id}`, { auth_settings: { atm: true } })
  })

  test(`a lost card is replaced by one action, and both name each other, ${way}`, async () => {
    const { card } = await makeCard(ask, 'VIRTUAL')
    await page.goto(`${home}/console/cards/${card.id}`)
    await press(page, t.cards.moves.replace)
    const dialog = dialogOf(page, t.cards.moves.replace)
    await dialog.getByLabel(t.cards.moves.replace_why, { exact: true }).selectOption('T2')
    await submit(dialog, t.cards.moves.replace)
    await page.waitForURL((url) => !url.pathname.endsWith(card.id))
    await page.getByText(t.cards.moves.replaced, { exact: true }).waitFor()
    await page.locator('main').getByText(t.cards.replaces).first().waitFor()
    await assertWell(opened)
    await page.locator('main').locator(`a[href*="${card.id}"]`).first().click()
    await page.waitForURL((url) => url.pathname.endsWith(card.id))
    await page.locator('main').getByText(t.cards.replaced_by).first().waitFor()
    const old = await ask('GET', `/v1/cards/${card.id}`)
    assert.deepEqual([old.status, old.status_reason_code], ['TERMINATED', 'T2'])
    assert.equal((await ask('GET', `/v1/cards?user_id=${card.user_id}`)).data.length, 2)
  })

  test(`the delivery of a card is a line of its steps with their times, ${way}`, async () => {
    const { card } = await makeCard(ask, 'PHYSICAL')
    await page.goto(`${home}/console/cards/${card.id}`)
    const steps = page.getByRole('list', { name: t.fulfillment.title, exact: true })
    const present = steps.locator('[aria-current=step]')
    await present.getByText(t.fulfillment.steps.CREATED, { exact: true }).waitFor()
    for (const [action, step] of [
      ['emboss', 'ORDERED'],
      ['ship', 'SHIPPED'],
      ['deliver', 'DELIVERED'],
    ] as const) {
      await press(page, t.fulfillment[action])
      const dialog = dialogOf(page, t.fulfillment[action])
      if (action === 'ship') await dialog.getByLabel(t.fulfillment.partner).fill('Falcon')
      await submit(dialog, t.fulfillment[action])
      await present.getByText(t.fulfillment.steps[step], { exact: true }).waitFor()
      await present.locator('time').waitFor()
    }
    assert.equal(await steps.locator('time').count(), 4)
    await assertWell(opened)
  })

  test(`a card leads to its batch at the bureau, whose cards lead back, ${way}`, async () => {
    const { card } = await makeCard(ask, 'PHYSICAL')
    await ask('POST', `/v1/simulate/cards/${card.id}:emboss`)
    const { card_order_id } = await ask('GET', `/v1/cards/${card.id}`)
    const { file_name } = await ask('GET', `/v1/cardorders/${card_order_id}`)
    await page.goto(`${home}/console/cards/${card.id}`)
    await regionOf(page, t.fulfillment.title).getByRole('link', { name: file_name }).click()
    await page.waitForURL((url) => url.pathname === `/console/card-orders/${card_order_id}`)
    await headed(page, 'CONFIRMED')
    const cards = rowsOf(page, t.card_orders.cards)
    const back = cards.locator(`a[href$="/cards/${card.id}"]`).first()
    await back.waitFor()
    assert.equal(await cards.count(), 1)
    await assertWell(opened)
    await back.click()
    await page.waitForURL((url) => url.pathname === `/console/cards/${card.id}`)
    await page.goto(`${home}/console/bulk-issuance`)
    const batches = rowsOf(page, t.card_orders.title)
    await batches.locator(`a[href$="/card-orders/${card_order_id}"]`).first().click()
    await headed(page, 'CONFIRMED')
  })
}
