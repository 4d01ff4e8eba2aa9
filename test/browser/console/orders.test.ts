/** Orders of a shop: the list with its filters, one order, its capture and its refund. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import { createMerchant } from '#test/support/contract/belongings.ts'
import { keeper } from '#test/support/keeper.ts'
import { buy, buyAndKeep, listenForCards } from '#test/support/network/purchases.ts'
import { makePayer } from './payer.ts'
import { openConsole } from './stage.ts'
import {
  assertWell,
  dialogOf,
  FAR,
  filterOf,
  goTo,
  hasFocus,
  headed,
  PHONE,
  press,
  regionOf,
  rowsOf,
  submit,
  titled,
  WAYS,
} from './ways.ts'
import { english } from './words.ts'

const keep = keeper()
const stage = keep(await openConsole())
const { world, home } = stage
keep(await listenForCards(world, Number(new URL(home).port)))

/** A tenant without a shop; `buy` gives it one, and pays there once with each call. */
async function makeBuyer() {
  const { tenant, issuer, card, email } = await makePayer(world, { pci_compliant: true })
  const openShop = async (settings = {}) => {
    const { merchant } = await createMerchant(world, tenant.id, settings)
    const { body } = await issuer.call('GET', `/v1/cards/${card.card_id}:reveal`)
    return {
      pay: () => buy(world, merchant.token, body),
      payAndKeep: () => buyAndKeep(world, merchant.token, body),
    }
  }
  return { email, openShop }
}

for (const { way, t, options } of WAYS) {
  const words = t.orders
  const { email, openShop } = await makeBuyer()
  const opened = await stage.open(email, '/orders', options)
  const { page, context } = opened

  test(`without a shop the page says what makes one ${way}`, async () => {
    await page.getByText(words.no_shop, { exact: true }).waitFor()
    await assertWell(opened)
  })

  test(`orders are listed newest first, and found by status and reference, ${way}`, async () => {
    const { pay } = await openShop()
    const [first, second] = [await pay(), await pay()]
    await page.reload()
    const rows = rowsOf(page, t.pages.orders)
    // The rows of a list that is loading have no text yet.
    await rows.nth(0).getByText(second).waitFor()
    await rows.nth(1).getByText(first).waitFor()
    await assertWell(opened)
    const status = await filterOf(page, t, t.fields.status)
    await status.selectOption('COMPLETED')
    await page.getByText(t.filters.no_fit, { exact: true }).waitFor()
    await assertWell(opened)
    await status.selectOption('')
    const reference = await filterOf(page, t, words.reference)
    await reference.fill(first)
    await reference.press('Enter')
    await rows.nth(1).waitFor({ state: 'detached' })
    assert.match(page.url(), new RegExp(`reference=${first}`))
    await assertWell(opened)
    await rows.getByRole('link', { name: first }).click()
    await headed(page, first)
  })

  test(`an open order is captured, and then refunded in part, ${way}`, async () => {
    await assertWell(opened)
    await press(page, words.capture)
    const capture = dialogOf(page, words.capture)
    await assertWell(opened)
    await submit(capture, words.capture)
    await headed(page, 'COMPLETED')
    await press(page, words.refund)
    const refund = dialogOf(page, words.refund)
    await refund.getByRole('textbox').fill('4.00')
    await submit(refund, words.refund)
    await regionOf(page, words.total).getByText('AED 4.00').waitFor()
    await rowsOf(page, t.pages.refunds).getByText('AED 4.00').waitFor()
    await rowsOf(page, t.pages.captures).getByText('SUCCESS').waitFor()
    await assertWell(opened)
  })

  test(`an order of a shop with partial captures is captured in parts ${way}`, async () => {
    const buyer = await makeBuyer()
    const { pay } = await buyer.openShop({ partial_captures: true })
    const inParts = await stage.open(buyer.email, `/orders/${await pay()}`, options)
    const dialog = dialogOf(inParts.page, words.capture)
    const take = async (left: string, part: string, isLast: boolean) => {
      await press(inParts.page, words.capture)
      const amount = dialog.getByRole('textbox')
      assert.equal(await amount.inputValue(), left)
      await amount.fill(part)
      if (isLast) await dialog.getByLabel(words.last, { exact: true }).check()
      await assertWell(inParts)
      await submit(dialog, words.capture)
    }
    await take('10', '4.05', false)
    const captures = rowsOf(inParts.page, t.pages.captures)
    await captures.getByText('AED 4.05').waitFor()
    // The amount that is left comes with the order, which is read beside the captures.
    const captured = inParts.page.getByRole('term').filter({ hasText: t.orders.captured })
    await captured.locator('xpath=following-sibling::dd').getByText('AED 4.05').waitFor()
    await take('5.95', '1.95', true)
    await inParts.page.getByText('AED 6.00').waitFor()
    await headed(inParts.page, 'COMPLETED')
    // The newest is the first.
    await captures.nth(0).getByText('AED 1.95').waitFor()
    await captures.nth(1).getByText('AED 4.05').waitFor()
    await assertWell(inParts)
    await inParts.context.close()
  })

  test(`a kept card is found by its customer and removed ${way}`, async () => {
    const buyer = await makeBuyer()
    const { payAndKeep } = await buyer.openShop()
    await payAndKeep()
    await payAndKeep()
    const shop = await stage.open(buyer.email, '/orders', options)
    await shop.page.getByRole('link', { name: t.pages.kept_cards, exact: true }).click()
    const rows = rowsOf(shop.page, t.pages.kept_cards)
    await rows.nth(1).getByText('ACTIVE').waitFor()
    await assertWell(shop)
    const customer = String(await rows.nth(1).locator('td').first().textContent())
    const field = await filterOf(shop.page, t, words.kept_cards.customer)
    await field.fill(customer)
    await field.press('Enter')
    await rows.nth(1).waitFor({ state: 'detached' })
    assert.match(String(await rows.textContent()), new RegExp(`^${customer}.*•••• \\d{4}`))
    await rows.getByRole('button').click()
    const dialog = dialogOf(shop.page, words.kept_cards.remove)
    await assertWell(shop)
    await submit(dialog, words.kept_cards.remove)
    await shop.page.getByText(t.filters.no_fit, { exact: true }).waitFor()
    await field.fill('')
    await field.press('Enter')
    await rows.first().getByText('ACTIVE').waitFor()
    // The list as it was is shown until it has been read anew.
    await rows.nth(1).waitFor({ state: 'detached' })
    assert.ok(!String(await rows.textContent()).includes(customer))
    await shop.context.close()
  })

  test(`a checkout is created, and its page leads to the order, ${way}`, async () => {
    await goTo(page, '/orders', t.pages.orders)
    await press(page, words.create)
    const dialog = dialogOf(page, words.create)
    await assertWell(opened)
    await submit(dialog, words.create)
    const link = page.getByRole('link', { name: words.open_checkout })
    const path = String(await link.getAttribute('href'))
    // Payers come by PUBLIC_URL, whatever the address of the console is.
    assert.ok(path.startsWith(`${world.origin()}/checkout?id=`), path)
    await assertWell(opened)
    const checkout = await context.newPage()
    await checkout.goto(path)
    await checkout.locator('[name=card_number]').waitFor()
    await assertWell({ ...opened, page: checkout })
    await checkout.close()
  })
}

test(`an order fits ${FAR.way}`, async () => {
  const { email, openShop } = await makeBuyer()
  const { pay } = await openShop()
  const reference = await pay()
  const opened = await stage.open(email, `/orders/${reference}`, FAR.options)
  await headed(opened.page, reference)
  await assertWell(opened)
})

for (const { way, t, options } of [
  FAR,
  { way: 'on a phone', t: english, options: { viewport: PHONE, locale: 'en' } },
]) {
  test(`the tabs stay on one line that scrolls to the present one ${way}`, async () => {
    const { email, openShop } = await makeBuyer()
    await openShop()
    const opened = await stage.open(email, '/endpoints', options)
    const { page } = opened
    const strip = page.getByRole('navigation', { name: t.pages.orders, exact: true })
    const tab = (name: string) => strip.getByRole('link', { name, exact: true })
    const present = tab(t.pages.endpoints)
    await present.waitFor()
    await assertWell(opened)
    const tops = await strip
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => link.getBoundingClientRect().top))
    assert.deepEqual([tops.length, new Set(tops).size], [5, 1])
    assert.deepEqual(await placesOf(strip, [present, tab(t.pages.orders)]), ['in', 'out'])
    await present.focus()
    for (const back of [t.pages.kept_cards, t.pages.refunds, t.pages.captures, t.pages.orders]) {
      await page.keyboard.press('Shift+Tab')
      assert.ok(await hasFocus(tab(back)), back)
    }
    assert.deepEqual(await placesOf(strip, [present, tab(t.pages.orders)]), ['out', 'in'])
    await page.keyboard.press('Enter')
    await titled(page, t.pages.orders)
    assert.deepEqual(await placesOf(strip, [tab(t.pages.orders)]), ['in'])
    await assertWell(opened)
  })
}

/** Whether the whole of a tab is to be seen in its strip. */
async function placesOf(strip: Locator, tabs: readonly Locator[]): Promise<string[]> {
  const [outer, ...inner] = await Promise.all([strip, ...tabs].map((one) => one.boundingBox()))
  assert.ok(outer)
  const isIn = (box: typeof outer | null | undefined) =>
    box && box.x >= outer.x - 1 && box.x + box.width <= outer.x + outer.width + 1
  return inner.map((box) => (isIn(box) ? 'in' : 'out'))
}
