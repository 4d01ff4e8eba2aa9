/** Cards that a shop keeps, on its payment page: kept, chosen, removed. */

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { keep, keptBy } from '#test/e2e/kept.ts'
import type { Customer } from '#test/e2e/shop.ts'
import { keeper } from '#test/support/keeper.ts'
import { faultsOfAxe, overflowOf } from '../console/stage.ts'
import { ORDER, openStage, PHONE, type, WIDE } from './stage.ts'

const stage = keeper()(await openStage({ kept_cards: true }))
const { shop, rich, site } = stage
const orderFor = (reference: string) => ({ order: { ...ORDER, customer: { reference } } })
const open = (customer: string, options: Parameters<typeof stage.open>[0] = {}) =>
  stage.open({ ...options, fields: orderFor(customer) })
const payButton = (page: Page) => page.locator('form[data-month] button:not(.remove)')
const thanks = (page: Page) => page.waitForURL(`${site}/thanks`)
const ending = ({ card_number }: Customer) => card_number.slice(-4)

/** Two cards that can be used, and one that is past. */
let cards: Customer[] = []
before(async () => {
  cards = [rich, await shop.customer(1_000_000n), await shop.customer(1_000_000n)]
  for (const card of cards) await keep(shop, card, 'omar')
  const [past] = await keptBy(shop, 'omar')
  await shop.db
    .updateTable('merchant_kept_cards')
    .set({ expiry: '2001' })
    .where('tenant_id', '=', shop.tenant.id)
    .where('id', '=', past.id)
    .execute()
})

for (const [size, viewport] of Object.entries({ wide: WIDE, phone: PHONE })) {
  for (const lang of ['en', 'ar'] as const) {
    for (const colorScheme of ['light', 'dark'] as const) {
      test(`axe-core finds nothing: ${size}, ${lang}, ${colorScheme}`, async () => {
        const { page } = await open('omar', { lang, browser: { viewport, colorScheme } })
        assert.equal(await page.locator('.choice').count(), 4)
        assert.deepEqual(await faultsOfAxe(page), [])
        assert.ok((await overflowOf(page)) <= 0)
        await page.locator('[name=kept_card][value=""]').check()
        await page.locator('#card_number').waitFor()
        assert.deepEqual(await faultsOfAxe(page), [])
        await payButton(page).click()
        await page.locator('.fault:visible').first().waitFor()
        assert.deepEqual(await faultsOfAxe(page), [])
        assert.ok((await overflowOf(page)) <= 0)
        await page.context().close()
      })
    }
  }
}

for (const javaScriptEnabled of [true, false]) {
  describe(javaScriptEnabled ? 'with a script' : 'without a script', () => {
    const browser = { javaScriptEnabled }

    test('a card is kept where the box is ticked, and then pays with its code alone', async () => {
      const customer = `new ${javaScriptEnabled}`
      const first = await open(customer, { browser })
      assert.equal(await first.page.locator('[name=keep_card]').isChecked(), false)
      await type(first.page, rich)
      await first.page.getByLabel('Keep this card').check()
      await payButton(first.page).click()
      await thanks(first.page)
      const { page, reference } = await open(customer, { browser })
      assert.ok(await page.getByRole('radio', { name: ending(rich) }).isChecked())
      for (const name of ['#card_number', '#expiry', '[name=keep_card]']) {
        assert.equal(await page.locator(name).isVisible(), false, name)
      }
      await page.locator('#cvv2').pressSequentially(rich.cvv2)
      await page.keyboard.press('Enter')
      await thanks(page)
      assert.equal((await shop.call('GET', `/orders/${reference}/`)).body.status, 'OPENED')
      await Promise.all([first, { page }].map((of) => of.page.context().close()))
    })

    test('another card pays instead of the kept one', async () => {
      const other = await shop.customer(1_000_000n)
      const { page } = await open('omar', { browser })
      await page.getByLabel('Use another card').check()
      await type(page, other)
      await payButton(page).click()
      await thanks(page)
      assert.equal((await shop.account(other)).held, 10_050n)
      await page.context().close()
    })

    test('a card is removed, and the others stay', async () => {
      const customer = `leaver ${javaScriptEnabled}`
      for (const card of cards) await keep(shop, card, customer)
      const { page } = await open(customer, { browser })
      await page.getByRole('button', { name: `Remove: Mastercard ${ending(rich)}` }).click()
      const removed = page.getByRole('radio', { name: ending(rich) })
      await removed.waitFor({ state: 'detached' })
      // A page that has begun to load has no card at all.
      await page.waitForLoadState()
      assert.equal(await page.locator('.choice').count(), 3)
      assert.equal((await keptBy(shop, customer)).length, 2)
      await page.context().close()
    })

    test('an empty code of a kept card is the only fault, at its field', async () => {
      const { page } = await open('omar', { browser })
      await page.getByRole('radio', { name: ending(cards[1] ?? rich) }).check()
      await payButton(page).click()
      await page.getByText('Enter the code').first().waitFor()
      assert.equal(await page.locator('.fault:visible').count(), 1)
      assert.ok(await page.getByRole('radio', { name: ending(cards[1] ?? rich) }).isChecked())
      await page.context().close()
    })
  })
}

test('a card that is past is shown as expired and cannot be chosen', async () => {
  const { page } = await open('omar')
  const past = page.getByRole('radio', { name: ending(cards[2] ?? rich) })
  assert.ok(await past.isDisabled())
  assert.match(await page.locator('.choice', { has: past }).innerText(), /Expired\s+01\/20/)
  await page.context().close()
})

test('can be paid with the keyboard alone, and Enter removes no card', async () => {
  const { page } = await open('omar')
  const names: string[] = []
  for (let step = 0; step < 7; step++) {
    await page.keyboard.press('Tab')
    names.push(
      await page.evaluate(
        'document.activeElement.getAttribute("aria-label") ?? document.activeElement.id',
      ),
    )
    if (names.at(-1) === 'cvv2') break
  }
  assert.deepEqual(names.slice(-4), [
    ...cards.map((card) => `Remove: Mastercard ${ending(card)}`),
    'cvv2',
  ])
  await page.keyboard.type(rich.cvv2)
  await page.keyboard.press('Enter')
  await thanks(page)
  assert.equal((await keptBy(shop, 'omar')).length, 3)
  await page.context().close()
})

test('a kept card pays in Arabic on a phone, with its digits from left to right', async () => {
  const { page } = await open('omar', { lang: 'ar', browser: { viewport: PHONE } })
  const which = page.locator('.which bdi').first()
  assert.equal(await which.getAttribute('dir'), 'ltr')
  assert.match(await which.innerText(), new RegExp(`^Mastercard •••• ${ending(rich)}$`))
  await page.locator('#cvv2').fill(rich.cvv2)
  await payButton(page).click()
  await thanks(page)
  await page.context().close()
})

test('the button that pays states so while it does, and the others stay', async () => {
  const { page } = await open('omar')
  await page.locator('#cvv2').fill(rich.cvv2)
  // The page stays.
  await page.evaluate('addEventListener("submit", (event) => event.preventDefault())')
  await payButton(page).click()
  assert.equal(await payButton(page).innerText(), 'Paying…')
  assert.equal(await page.locator('.remove').first().innerText(), 'Remove')
  await page.context().close()
})

test('without a customer there is neither a box nor a choice', async () => {
  const { page } = await stage.open()
  assert.equal(await page.locator('[name=keep_card], [name=kept_card]').count(), 0)
  await page.context().close()
})
