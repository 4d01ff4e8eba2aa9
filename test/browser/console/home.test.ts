/** Home and the palette: a new organization, one with payments, and finding things by keyboard. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { keeper } from '#test/support/keeper.ts'
import { faultsOfAxe, openConsole, overflowOf } from './stage.ts'

const keep = keeper()
const stage = keep(await openConsole())
const first = await stage.openPage()
const email = await stage.signUp(first.page)

const PHONE = { width: 390, height: 844 }

type Answer = { id: string; account_id: string; last_four: string; data: { id: string }[] }

/** A call of the member who has signed up. */
async function call(method: string, path: string, data?: object): Promise<Answer> {
  const headers = { origin: stage.home }
  const sent = { method, headers, ...(data && { data }) }
  const answer = await first.context.request.fetch(`${stage.home}/v1${path}`, sent)
  assert.ok(answer.ok(), `${method} ${path} ${answer.status()} ${await answer.text()}`)
  return (await answer.json()) as Answer
}

const option = (page: Page, name: RegExp | string) => page.getByRole('option', { name })
const search = (page: Page) => page.getByRole('dialog').getByRole('combobox')
const tile = (page: Page, name: RegExp) => page.locator('main').getByRole('link', { name })

test('a new organization is led to First steps', async () => {
  const { page, faults } = first
  await page.goto(`${stage.home}/console/home`)
  await page.getByText('No card has paid yet').waitFor()
  assert.deepEqual(await faultsOfAxe(page), [])
  await page.locator('main').getByRole('link', { name: 'First steps' }).click()
  await page.getByRole('heading', { name: 'First steps', level: 1 }).waitFor()
  assert.deepEqual(faults, [])
})

/** Two payments that are approved and one that is declined. */
async function pay() {
  const [product] = (await call('GET', '/cardproducts')).data
  const person = { first_name: 'Noura', last_name: 'Haddad', email: 'noura@example.com' }
  const user = await call('POST', '/users', person)
  const body = { card_type: 'VIRTUAL', user_id: user.id, card_product_id: product?.id }
  const card = await call('POST', '/cards', body)
  const active = { status: 'ACTIVE', status_reason_code: 'a0' }
  await call('PUT', `/cards/${card.id}:statuschange`, active)
  const money = { currency: 'AED', amount: 100 }
  await call('POST', `/accounts/${card.account_id}:loadfunds`, money)
  for (const amount of [20, 30, 900]) {
    await call('POST', '/simulate/authorizations', { card_id: card.id, currency: 'AED', amount })
  }
  return { user, card }
}
let user: Answer
let card: Answer

test('Home counts, and each figure leads to its list', async () => {
  const { page, faults } = first
  ;({ user, card } = await pay())
  await page.goto(`${stage.home}/console/home`)
  await tile(page, /^Authorizations today ?3/).waitFor()
  await tile(page, /^Webhooks that fail ?0 of 0/).waitFor()
  await tile(page, /^Program funding ?AED 9,900.00 ?Lasts 99 days/).waitFor()
  await page.getByRole('figure', { name: 'Authorizations by hour' }).waitFor()
  const declines = page.getByRole('region', { name: 'Declines in 24 hours' })
  await declines.getByRole('link', { name: /1016/ }).waitFor()
  assert.deepEqual(await faultsOfAxe(page), [])
  await tile(page, /^Approval rate today ?66.7% ?1 declined/).click()
  await page.getByRole('heading', { name: 'Transactions', level: 1 }).waitFor()
  assert.match(page.url(), /first=\d{4}-\d{2}-\d{2}&status=DECLINED$/)
  await page.getByText('AED 900.00').waitFor()
  assert.equal(await page.locator('tbody tr').count(), 1)
  assert.deepEqual(faults, [])
})

test('the palette finds a person, a card and a page by keyboard alone', async () => {
  const { page, faults } = first
  await page.goto(`${stage.home}/console/home`)
  await tile(page, /^Authorizations today/).waitFor()
  await page.keyboard.press('Control+k')
  await search(page).waitFor()
  assert.equal(await search(page).evaluate('document.activeElement.role'), 'combobox')
  await page.keyboard.type('haddad')
  await option(page, /Noura Haddad User/).waitFor()
  assert.deepEqual(await faultsOfAxe(page), [])
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Noura Haddad', level: 1 }).waitFor()
  assert.ok(page.url().endsWith(`/users/${user.id}`))

  await page.keyboard.press('Control+k')
  await search(page).fill(card.last_four)
  await option(page, new RegExp(`${card.last_four} Card`)).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1 }).getByText(card.last_four).waitFor()

  await page.keyboard.press('Control+k')
  await option(page, /Noura Haddad User/).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/users/${user.id}`)

  await page.keyboard.press('Control+k')
  await search(page).fill('simul')
  await option(page, 'Simulator').waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Simulator', level: 1 }).waitFor()
  assert.deepEqual(faults, [])
})

test('the palette says that nothing was found, and closes', async () => {
  const { page } = first
  await page.getByRole('button', { name: 'Search' }).click()
  await search(page).fill('zzzz')
  await page.getByText('Nothing was found').waitFor()
  assert.deepEqual(await faultsOfAxe(page), [])
  await page.keyboard.press('Escape')
  await search(page).waitFor({ state: 'detached' })
})

test('Home and the palette in Arabic, on a phone', async () => {
  const opened = await stage.openPage({ viewport: PHONE, locale: 'ar', colorScheme: 'dark' })
  const { page, context, faults } = opened
  await stage.signIn(opened, email, '/home')
  await tile(page, /تفويضات اليوم/).waitFor()
  assert.ok((await overflowOf(page)) <= 0)
  assert.deepEqual(await faultsOfAxe(page), [])
  await page.getByRole('button', { name: 'بحث' }).click()
  await search(page).fill(user.id)
  await option(page, /Noura Haddad/).waitFor()
  assert.ok((await overflowOf(page)) <= 0)
  assert.deepEqual(await faultsOfAxe(page), [])
  await option(page, /Noura Haddad/).click()
  await page.waitForURL(`**/users/${user.id}`)
  assert.deepEqual(faults, [])
  await context.close()
})
