/** Home and the palette: a new organization, one with payments, and finding things by keyboard. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { asker } from '#test/support/contract/belongings.ts'
import { keeper } from '#test/support/keeper.ts'
import { signUp } from '#test/support/portal/browser.ts'
import { openConsole } from './stage.ts'
import { assertWell, FAR, fill, headed, press, regionOf, rowsOf, titled, WAYS } from './ways.ts'

const keep = keeper()
const stage = keep(await openConsole())
const { world, home } = stage

type Paid = { user_id: string; last_four: string; account_id: string }

/** Two payments that are approved and one that is declined. */
async function pay(key: string): Promise<Paid> {
  const ask = asker(world, key)
  const [product] = (await ask('GET', '/v1/cardproducts')).data
  const person = { first_name: 'Noura', last_name: 'Haddad', email: 'noura@example.com' }
  const { id: user_id } = await ask('POST', '/v1/users', person)
  const body = { card_type: 'VIRTUAL', user_id, card_product_id: product.id }
  const { id: card_id, account_id, last_four } = await ask('POST', '/v1/cards', body)
  const active = { status: 'ACTIVE', status_reason_code: 'a0' }
  await ask('PUT', `/v1/cards/${card_id}:statuschange`, active)
  await ask('POST', `/v1/accounts/${account_id}:loadfunds`, { currency: 'AED', amount: 100 })
  for (const amount of [20, 30, 900]) {
    await ask('POST', '/v1/simulate/authorizations', { card_id, currency: 'AED', amount })
  }
  return { user_id, last_four, account_id }
}

const option = (page: Page, name: string, kind = '') =>
  page.getByRole('option').filter({ hasText: name }).filter({ hasText: kind })
const search = (page: Page) => page.getByRole('dialog').getByRole('combobox')
/** Keys that are pressed before the field has the focus are lost. */
async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.locator('[role=combobox]:focus').waitFor()
}
/** The option that Enter chooses. */
const chosen = (page: Page, name: string) =>
  option(page, name).and(page.locator('[data-combobox-selected]'))
/** A figure, or another link of the page, by what it says. */
const tile = (page: Page, label: string) =>
  page.locator('main').getByRole('link').filter({ hasText: label })

for (const { way, t, options } of WAYS) {
  const { email, api_key } = await signUp(world)
  const opened = await stage.open(email, '/home', options)
  const { page } = opened
  const openHome = () => page.goto(`${home}/console/home`)
  let paid: Paid

  test(`a new organization is led to First steps ${way}`, async () => {
    await page.getByText(t.home.begin_title, { exact: true }).waitFor()
    await assertWell(opened)
    await tile(page, t.pages.first_steps).click()
    await titled(page, t.pages.first_steps)
  })

  test(`Home counts, and each figure leads to its list, ${way}`, async () => {
    paid = await pay(api_key)
    await openHome()
    const shows = (label: string, text: string) =>
      tile(page, label).getByText(text, { exact: true }).waitFor()
    await shows(t.home.authorizations, '3')
    await shows(t.home.failing, fill(t.home.of, { part: 0, all: 0 }))
    await shows(t.home.funding, 'AED 9,900.00')
    await shows(t.home.funding, fill(t.home.days_left, { days: 99 }))
    await page.getByRole('figure', { name: t.home.by_hour }).waitFor()
    await regionOf(page, t.home.declines).getByRole('link', { name: '1016' }).waitFor()
    await assertWell(opened)
    await shows(t.home.approval_rate, '66.7%')
    await shows(t.home.approval_rate, fill(t.home.declined, { number: 1 }))
    await tile(page, t.home.approval_rate).click()
    await titled(page, t.pages.transactions)
    assert.match(page.url(), /first=\d{4}-\d{2}-\d{2}&status=DECLINED$/)
    const rows = rowsOf(page, t.pages.transactions)
    await rows.getByText('AED 900.00').waitFor()
    assert.equal(await rows.count(), 1)
    await assertWell(opened)
  })

  test(`Home compares a period that is chosen, and says what needs attention, ${way}`, async () => {
    await openHome()
    const attention = regionOf(page, t.program.attention)
    await attention.getByText(t.program.calm, { exact: true }).waitFor()
    const amounts = regionOf(page, t.program.amounts)
    await amounts.getByText('AED 50.00', { exact: true }).waitFor()
    await page.getByLabel(t.program.period, { exact: true }).selectOption('week')
    await page.waitForURL('**/home?period=week')
    const none = fill(t.program.none_before, { days: 7 })
    await tile(page, t.program.authorizations).getByText(none, { exact: true }).waitFor()
    await page.getByRole('figure', { name: t.program.by_day }).waitFor()
    await amounts.getByText('AED 50.00', { exact: true }).waitFor()
    await assertWell(opened)
    // Nearly all of the funding is used within a day.
    const load = { currency: 'AED', amount: 9500 }
    await asker(world, api_key)('POST', `/v1/accounts/${paid.account_id}:loadfunds`, load)
    await page.reload()
    const [start = ''] = t.program.runs_out.split('{{days}}')
    await attention.getByText(fill(start, { currency: 'AED' }).trim()).waitFor()
    await assertWell(opened)
  })

  test(`the palette finds a person, a card and a page by keyboard alone ${way}`, async () => {
    const { user_id, last_four } = paid
    await openHome()
    await tile(page, t.home.authorizations).waitFor()
    await openPalette(page)
    await page.keyboard.type('haddad')
    await option(page, 'Noura Haddad', t.search.kinds.USER).waitFor()
    await assertWell(opened)
    await chosen(page, 'Noura Haddad').waitFor()
    await page.keyboard.press('Enter')
    await headed(page, 'Noura Haddad')
    assert.ok(page.url().endsWith(`/users/${user_id}`))

    await openPalette(page)
    await search(page).fill(last_four)
    await option(page, last_four, t.search.kinds.CARD).waitFor()
    await chosen(page, last_four).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/cards/*')
    await headed(page, 'ACTIVE')

    await openPalette(page)
    await chosen(page, last_four).waitFor()
    await page.keyboard.press('ArrowDown')
    await chosen(page, 'Noura Haddad').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/users/${user_id}`)

    await openPalette(page)
    await search(page).fill(t.pages.simulator.slice(0, -2))
    await chosen(page, t.pages.simulator).waitFor()
    await page.keyboard.press('Enter')
    await titled(page, t.pages.simulator)
  })

  test(`the palette says that nothing was found, and closes, ${way}`, async () => {
    await press(page, t.search.title)
    await search(page).fill('zzzz')
    await page.getByText(t.search.nothing).waitFor()
    await assertWell(opened)
    await page.keyboard.press('Escape')
    await search(page).waitFor({ state: 'detached' })
  })
}

test(`Home with payments and the palette fit ${FAR.way}, in the dark`, async () => {
  const { t, options } = FAR
  const { email, api_key } = await signUp(world)
  const { user_id } = await pay(api_key)
  const opened = await stage.open(email, '/home', { ...options, colorScheme: 'dark' })
  const { page } = opened
  await tile(page, t.home.authorizations).waitFor()
  await assertWell(opened)
  await press(page, t.search.title)
  await search(page).fill(user_id)
  await option(page, 'Noura Haddad').waitFor()
  await assertWell(opened)
  await option(page, 'Noura Haddad').click()
  await page.waitForURL(`**/users/${user_id}`)
})
