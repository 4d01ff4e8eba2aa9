/** Answers that arrive after a newer choice: the newest choice stays, and only it is sent. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { freshBin, newProduct } from '#test/support/contract/belongings.ts'
import { keeper } from '#test/support/keeper.ts'
import { memberWith } from '#test/support/portal/browser.ts'
import { makePayer } from './payer.ts'
import { openConsole } from './stage.ts'
import { assertWell, dialogOf, headed, press, regionOf, titled, WAYS } from './ways.ts'
import { arabic, english } from './words.ts'

const keep = keeper()
const stage = keep(await openConsole())
const { world, home } = stage
// It numbers the events that the feed shows.
world.sweeper.start()

/** Keeps requests to such addresses from the program until they are let go. */
async function holdBack(page: Page, address: string | RegExp, count = Number.POSITIVE_INFINITY) {
  const { promise: isLet, resolve } = Promise.withResolvers<void>()
  const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>()
  let seen = 0
  await page.route(address, async (route) => {
    if (++seen > count) return route.fallback()
    hold()
    await isLet
    await route.continue()
  })
  const letGo = async () => {
    resolve()
    await page.unrouteAll({ behavior: 'wait' })
  }
  return { isHeld, letGo, asked: () => seen }
}

const SUSPENDED = { status: 'SUSPENDED', status_reason_code: 'S0' }

for (const { way, t, options } of WAYS) {
  const words = t.simulator
  const { email, issuer, card, tenant } = await makePayer(world)
  const suspended = await issuer.card(50)
  await issuer.call('PUT', `/v1/cards/${suspended.card_id}:statuschange`, SUSPENDED)
  const opened = await stage.open(email, '/simulator', options)
  const { page } = opened
  const field = (name: string) => page.getByLabel(name, { exact: true })
  const sendButton = (disabled: boolean) =>
    page.getByRole('button', { name: words.send, exact: true, disabled })
  const verdict = (code: string) =>
    regionOf(page, words.decision).getByRole('status').getByText(code).waitFor()
  const visit = async () => {
    await page.goto(`${home}/console/simulator`)
    await sendButton(false).waitFor()
  }

  test(`what is typed while an outcome is sought stays ${way}`, async () => {
    await visit()
    const { isHeld, letGo } = await holdBack(page, '**/cards/*/accounts*')
    await field(words.outcome).selectOption('funds')
    await isHeld
    await field(words.amount).fill('7.77')
    await letGo()
    await sendButton(false).click()
    await verdict('0000')
    assert.equal(await field(words.amount).inputValue(), '7.77')
    assert.equal(await field(words.outcome).inputValue(), '')
    await assertWell(opened)
  })

  test(`a request waits for the card of the status that its outcome needs ${way}`, async () => {
    await visit()
    const { isHeld, letGo } = await holdBack(page, '**/v1/cards?*status=SUSPENDED*')
    await field(words.outcome).selectOption('suspended')
    await isHeld
    await sendButton(true).waitFor()
    await letGo()
    await sendButton(false).click()
    await verdict('1003')
    // The amount is one that the card of the request does not have, not the one before.
    await field(words.outcome).selectOption('funds')
    await sendButton(false).click()
    await verdict('1016')
    assert.equal(await field(words.card).inputValue(), card.card_id)
  })

  test(`a kept request is opened with its card, whatever its status, ${way}`, async () => {
    await visit()
    await field(words.outcome).selectOption('suspended')
    await field(words.card)
      .and(page.locator(`:has(option[value="${suspended.card_id}"])`))
      .waitFor()
    await sendButton(false).waitFor()
    await press(page, words.keep)
    await visit()
    const kept = page.getByRole('list', { name: words.kept, exact: true }).getByRole('listitem')
    await kept.getByRole('button').first().click()
    await page.waitForURL(new RegExp(`card_id=${suspended.card_id}`))
    await sendButton(false).click()
    await verdict('1003')
    assert.equal(await field(words.card).inputValue(), suspended.card_id)
  })

  test(`Enter waits for what the palette finds for the newest text ${way}`, async () => {
    const { body: user } = await issuer.call('POST', '/v1/users', {
      first_name: 'Mariam',
      last_name: 'Saleh',
    })
    const { body: other } = await issuer.call('POST', '/v1/users', {
      first_name: 'Yousef',
      last_name: 'Nasser',
    })
    await visit()
    await page.keyboard.press('Control+k')
    const search = page.locator('[role=combobox]:focus')
    await search.fill(user.id)
    await page
      .locator('[role=option][data-combobox-selected]')
      .filter({ hasText: 'Saleh' })
      .waitFor()
    const { isHeld, letGo } = await holdBack(page, '**/v1/search?*')
    await search.fill(other.id)
    await isHeld
    await page.keyboard.press('Enter')
    await letGo()
    await headed(page, 'Yousef Nasser')
  })

  test(`a list that is linked is never shown as none ${way}`, async () => {
    const list = { name: 'Gulf', country_codes: ['ARE'] }
    const { body } = await issuer.call('POST', '/v1/allowedcountries', list)
    const linked = { allowed_countries_id: body.id }
    await issuer.call('PUT', `/v1/cards/${card.card_id}`, linked)
    const { isHeld, letGo } = await holdBack(page, '**/v1/allowedcountries*')
    await page.goto(`${home}/console/cards/${card.card_id}`)
    await isHeld
    await press(page, t.allowed.choose)
    const field = dialogOf(page, t.allowed.choose).getByLabel(t.allowed.countries, { exact: true })
    assert.equal(await field.inputValue(), body.id)
    await letGo()
    await field.locator('option', { hasText: 'Gulf' }).waitFor({ state: 'attached' })
    assert.equal(await field.inputValue(), body.id)
    await assertWell(opened)
  })

  test(`a form keeps the product that it showed, though a newer one comes first, ${way}`, async () => {
    await page.goto(`${home}/console/cards`)
    await press(page, t.cards.issue)
    const dialog = dialogOf(page, t.cards.issue)
    const product = dialog.getByLabel(t.cards.product, { exact: true })
    await product.locator('option').first().waitFor({ state: 'attached' })
    const shown = await product.inputValue()
    const made = { ...newProduct, name: 'Newest', bin: freshBin() }
    const { body: newest } = await issuer.call('POST', '/v1/cardproducts', made)
    const read = page.waitForResponse(/\/v1\/cardproducts\?/)
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`)
    await read
    await product.locator(`option[value="${newest.id}"]`).waitFor({ state: 'attached' })
    assert.equal(await product.inputValue(), shown)
    await assertWell(opened)
  })

  test(`of two languages the newest choice is spoken ${way}`, async () => {
    const [own, other] = t === arabic ? ['العربية', 'English'] : ['English', 'العربية']
    const choose = async (language: string) => {
      await press(page, t.shell.more)
      await page.getByRole('menuitemradio', { name: language, exact: true }).click()
    }
    await page.goto(`${home}/console/home`)
    await titled(page, t.pages.home)
    await press(page, t.shell.more)
    await page.getByRole('menuitemradio', { name: own, exact: true }).click()
    const { isHeld, letGo } = await holdBack(page, '**/console/assets/*.js')
    await choose(other)
    await isHeld
    await choose(own)
    await letGo()
    await titled(page, t.pages.home)
    await page.reload()
    await titled(page, t.pages.home)
  })

  test(`a page that is opened while a language is chosen speaks it ${way}`, async () => {
    const [language, there] = t === arabic ? ['English', english] : ['العربية', arabic]
    await page.goto(`${home}/console/home`)
    await titled(page, t.pages.home)
    await press(page, t.shell.more)
    const item = page.getByRole('menuitemradio', { name: language, exact: true })
    await item.waitFor()
    const { isHeld, letGo } = await holdBack(page, '**/console/assets/*.js', 1)
    await item.click()
    await isHeld
    await page.locator('nav a[href="/console/cards"]').first().dispatchEvent('click')
    await page.waitForURL('**/console/cards')
    await letGo()
    await titled(page, there.pages.cards)
    await page.getByRole('button', { name: there.cards.issue, exact: true }).waitFor()
    await assertWell(opened)
    await page.evaluate(`localStorage.clear()`)
  })

  test(`events that came live stay when the first answer is late ${way}`, async () => {
    const { isHeld, letGo } = await holdBack(page, /\/v1\/events\?limit=/, 1)
    await page.goto(`${home}/console/events`)
    await isHeld
    await press(page, t.events.pause)
    await press(page, t.events.resume)
    const row = (id: string) => page.locator('tbody tr').filter({ hasText: id.slice(-12) })
    await page.locator('tbody tr').first().waitFor()
    const person = { first_name: 'Noura', last_name: 'Late' }
    const { body } = await issuer.call('POST', '/v1/users', person)
    await row(body.id).waitFor()
    const late = page.waitForResponse(/\/v1\/events\?limit=/)
    await letGo()
    await (await late).finished()
    const { body: next } = await issuer.call('POST', '/v1/users', person)
    await row(next.id).waitFor()
    await row(body.id).waitFor()
  })

  test(`an operator asks for events once at a time, and sees each once, ${way}`, async () => {
    const support = await memberWith(world, 'operator_owner', null)
    const seen = await stage.openPage(options)
    await seen.page.clock.install()
    await stage.signIn(seen, support.email, `/events?tenant=${tenant.id}`)
    const rows = seen.page.locator('tbody tr')
    await rows.first().waitFor()
    const { isHeld, letGo, asked } = await holdBack(seen.page, /\/v1\/events\?.*after=/)
    await seen.page.clock.runFor(3_000)
    await isHeld
    await seen.page.clock.runFor(9_000)
    assert.equal(asked(), 1)
    const person = { first_name: 'Noura', last_name: 'Once' }
    const { body } = await issuer.call('POST', '/v1/users', person)
    await letGo()
    await rows.filter({ hasText: body.id.slice(-12) }).waitFor()
    assert.equal(await rows.filter({ hasText: body.id.slice(-12) }).count(), 1)
    await seen.context.close()
  })
}
