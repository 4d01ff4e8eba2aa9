/** What a member of the operator's team does on its pages. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { openProgram } from '#issuing/programs/programs.ts'
import { transact } from '#kit/context.ts'
import { keeper } from '#test/support/keeper.ts'
import { KEY_BLOCK, PROTECTION_KEY } from '#test/support/network/key_blocks.ts'
import { memberWith } from '#test/support/portal/browser.ts'
import { faultsOfAxe, type Opened, openConsole, overflowOf } from './stage.ts'

const keep = keeper()
const stage = keep(await openConsole())
const { world, home } = stage
const owner = await memberWith(world, 'operator_owner', null)
const { tenant: palm } = await transact(await world.ctx(), (tx) =>
  openProgram(
    { ...tx, db: tx.db.overAllTenants() },
    { tenant: { name: 'Palm Bank' }, funding: 500, product: { name: 'Gold' } },
  ),
)

const WIDE = { width: 1440, height: 900 }
const isLoaded = "document.querySelector('.mantine-Skeleton-root') === null"

async function open(options: object = { viewport: WIDE }, email = owner.email): Promise<Opened> {
  const opened = await stage.openPage(options)
  keep({ close: () => opened.context.close() })
  await stage.signIn(opened, email, '/home')
  await opened.page.getByRole('heading', { level: 1 }).waitFor()
  return opened
}

const namesOf = (page: Page) => page.locator('nav a[href^="/console/"]').allTextContents()

async function assertWell({ page, faults }: Opened): Promise<void> {
  await page.waitForFunction(isLoaded)
  assert.deepEqual(await faultsOfAxe(page), [])
  assert.ok((await overflowOf(page)) <= 0)
  assert.deepEqual(faults, [])
}

const opened = await open()
const { page } = opened
const dialog = page.getByRole('dialog')
const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click()
const submit = (name: string) => dialog.getByRole('button', { name, exact: true }).click()
const go = (path: string) => page.goto(`${home}/console${path}`)

test('without a tenant the menu has the pages of the operator alone', async () => {
  const all = ['Tenants', 'Rates', 'Merchants', 'Mails', 'Jobs']
  const names = (await namesOf(page)).filter((name) => name !== 'Reviews')
  assert.deepEqual(names, ['Home', 'Team', 'Audit log', ...all])
})

test('Home has the health, and a tenant whose funds are low', async () => {
  await page.getByRole('region', { name: 'Health' }).getByText('Card network').waitFor()
  const low = page.getByRole('region', { name: 'Funding below 1,000' })
  await low.getByRole('link', { name: 'Palm Bank' }).waitFor()
  await low.getByText('AED 500.00').waitFor()
})

test('a tenant is found by its name, its calls carry the header, and it is left', async () => {
  await page.getByRole('button', { name: /Choose a tenant/ }).click()
  await dialog.getByLabel('Name or id of a tenant').fill('palm')
  const asked = page.waitForRequest((request) => request.url().includes('/v1/transactions'))
  await dialog.getByRole('button', { name: /Palm Bank/ }).click()
  assert.equal((await asked).headers()['x-bezant-tenant'], palm.id)
  const banner = page.getByRole('region', { name: 'Tenant that you act for' })
  await banner.getByText('Acting for Palm Bank').waitFor()
  await page.getByRole('link', { name: 'Card products', exact: true }).click()
  await page.getByRole('link', { name: 'Gold' }).waitFor()
  await press('API')
  await dialog.getByText(`-H 'x-bezant-tenant: ${palm.id}'`).first().waitFor()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await page.reload()
  await page.getByRole('link', { name: 'Gold' }).waitFor()
  await assertWell(opened)
  await banner.getByRole('button', { name: 'Leave' }).click()
  await page.getByRole('region', { name: 'Health' }).waitFor()
  assert.equal(await banner.count(), 0)
  assert.ok(!(await namesOf(page)).includes('Cards'))
})

test('a tenant is made with a key that is shown once, and is funded', async () => {
  await go('/tenants')
  await press('Create a tenant')
  await dialog.getByLabel('Name').fill('Reef Finance')
  await submit('Create a tenant')
  assert.match(await dialog.getByLabel('API key').inputValue(), /^bz_/)
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await page.getByRole('heading', { name: 'Reef Finance', level: 1 }).waitFor()
  await press('Fund')
  await dialog.getByLabel('Amount').fill('1250.50')
  await submit('Fund')
  const accounts = page.getByRole('table', { name: 'Program accounts' })
  await accounts.getByText('AED 1,250.50', { exact: true }).waitFor()
})

test('settings of a tenant are changed, those of the operator too', async () => {
  await go(`/tenants/${palm.id}`)
  await press('Change: Requests per second')
  await dialog.getByLabel('Requests per second').fill('77')
  await submit('Save')
  await page.getByText('77', { exact: true }).waitFor()
})

test('keys of a product have check values, and one is imported by a key block', async () => {
  await go(`/tenants/${palm.id}`)
  await page.getByRole('link', { name: 'Gold' }).click()
  await page.getByText('No key block protection key is set').waitFor()
  await press('Set protection key')
  await dialog.getByLabel('Components').fill(PROTECTION_KEY)
  await submit('Save')
  await page.getByText('SET', { exact: true }).waitFor()
  await press('Import a key')
  await dialog.getByLabel('Key', { exact: true }).selectOption('zpk')
  await dialog.getByLabel('Key block').fill(KEY_BLOCK)
  await submit('Import a key')
  await dialog.waitFor({ state: 'hidden' })
  await press('API')
  const calls = (await dialog.textContent()) ?? ''
  assert.ok(!calls.includes(PROTECTION_KEY) && !calls.includes(KEY_BLOCK))
  await dialog.getByRole('button', { name: 'Close' }).click()
  await assertWell(opened)
})

test('a rate is set both ways, and its age is shown', async () => {
  await go('/rates')
  await press('Set a rate')
  await dialog.getByLabel('From').fill('usd')
  await dialog.getByLabel('To').fill('AED')
  await dialog.getByLabel('Rate', { exact: true }).fill('3.6725')
  await dialog.getByText('0.272294').waitFor()
  await dialog.getByLabel('Rate of the other way').fill('0.2722')
  await submit('Set a rate')
  const rates = page.getByRole('table', { name: 'Rates' })
  await rates.getByText('AED/USD').waitFor()
  await rates.getByText('USD/AED').waitFor()
})

test('a merchant gets a key pair that is shown once and revoked', async () => {
  await go('/merchants')
  await press('Create a merchant')
  await dialog.getByLabel('Tenant').selectOption(palm.id)
  await dialog.getByLabel('Name', { exact: true }).fill('Palm Books')
  await submit('Create a merchant')
  await page.getByRole('heading', { name: /Palm Books/ }).waitFor()
  await press('Create a key pair')
  await submit('Create a key pair')
  assert.match(await dialog.getByLabel('Private key').inputValue(), /^sk_/)
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await page.getByRole('button', { name: /^Revoke: pk_/ }).click()
  await submit('Revoke')
  await page.getByText('REVOKED').waitFor()
  await press('Change')
  await dialog.getByLabel('City').fill('Abu Dhabi')
  await submit('Save')
  await page.getByText('Abu Dhabi').waitFor()
})

test('a mail is read, and its link leads to the page of the invitation', async () => {
  await owner.browser.ask('POST', '/portal/v1/invitations', {
    email: 'yusuf@operator.example',
    role: 'operator_support',
  })
  await go('/mails?to=yusuf@operator.example')
  await page.locator('main tbody button').first().click()
  const link = dialog.getByRole('link')
  assert.match(String(await link.getAttribute('href')), /^\/console\/invitation\?token=/)
})

test('support reads the pages and has no action but those of its role', async () => {
  const support = await memberWith(world, 'operator_support', null)
  const { page: seen } = await open({ viewport: WIDE }, support.email)
  await seen.goto(`${home}/console/tenants/${palm.id}`)
  await seen.getByRole('table', { name: 'Program accounts' }).waitFor()
  await seen.waitForFunction(isLoaded)
  const buttons = await seen.locator('main').getByRole('button').allTextContents()
  assert.deepEqual(buttons, ['Act for this tenant'])
})
