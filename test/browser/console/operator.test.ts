/** Actions of a member of the operator's team on its pages. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { openProgram } from '#issuing/programs/programs.ts'
import { transact } from '#kit/context.ts'
import { keeper } from '#test/support/keeper.ts'
import { KEY_BLOCK, PROTECTION_KEY } from '#test/support/network/key_blocks.ts'
import { memberWith, someEmail } from '#test/support/portal/browser.ts'
import { openConsole } from './stage.ts'
import {
  assertWell,
  dialogOf,
  fill,
  goTo,
  headed,
  press,
  pressIn,
  regionOf,
  rowsOf,
  submit,
  titled,
  WAYS,
} from './ways.ts'

const keep = keeper()
const stage = keep(await openConsole())
const { world, home } = stage
const owner = await memberWith(world, 'operator_owner', null)
const support = await memberWith(world, 'operator_support', null)

async function makeTenant(name: string): Promise<string> {
  const { tenant } = await transact(await world.ctx(), (tx) =>
    openProgram(
      { ...tx, db: tx.db.overAllTenants() },
      { tenant: { name }, funding: 500, product: { name: 'Gold' } },
    ),
  )
  return tenant.id
}

/** The first bytes of a picture are all that the API reads. */
const PNG = Buffer.from('89504e470d0a1a0a0000000d', 'hex')

const namesOf = (page: Page) => page.locator('nav a[href^="/console/"]').allTextContents()

for (const [at, { way, t, options }] of WAYS.entries()) {
  const words = t.operator
  const name = `Palm Bank ${at}`
  const id = await makeTenant(name)
  const opened = await stage.open(owner.email, '/home', options)
  const { page } = opened
  const go = (path: string) => page.goto(`${home}/console${path}`)
  const region = (label: string) => regionOf(page, label)
  const drawer = dialogOf(page, t.api.title)

  test(`without a tenant the menu has the pages of the operator alone ${way}`, async () => {
    await titled(page, t.pages.home)
    const shops = ['merchants', 'merchant_payouts', 'reconciliation'] as const
    const own = ['tenants', 'rates', ...shops, 'networks', 'mails', 'jobs'] as const
    const names = ['home', 'team', 'audit_log', ...own] as const
    assert.deepEqual(
      (await namesOf(page)).filter((shown) => shown !== t.pages.reviews),
      names.map((one) => t.pages[one]),
    )
  })

  test(`Home has the health, and a tenant whose funds are low, ${way}`, async () => {
    await region(t.health.title).getByText(t.health.parts.NETWORK, { exact: true }).waitFor()
    const low = region(fill(words.home.funding, { below: '1,000' }))
    await low.getByRole('link', { name }).waitFor()
    await low.getByText('AED 500.00').first().waitFor()
    await assertWell(opened)
  })

  test(`a tenant is found by its name, its calls carry the header, and it is left ${way}`, async () => {
    await press(page, `${t.acting.none} · ${t.acting.choose}`)
    const chooser = dialogOf(page, t.acting.choose)
    await chooser.getByLabel(t.acting.find).fill(name.toLowerCase())
    const chosen = chooser.getByRole('button', { name })
    await chosen.waitFor()
    await assertWell(opened)
    const asked = page.waitForRequest((request) => request.url().includes('/v1/transactions'))
    await chosen.click()
    assert.equal((await asked).headers()['x-bezant-tenant'], id)
    const banner = region(t.acting.title)
    await banner.getByText(`${t.acting.now} ${name}`).waitFor()
    await goTo(page, '/card-products', t.pages.card_products)
    await page.getByRole('link', { name: 'Gold' }).waitFor()
    await press(page, t.api.button)
    await drawer.getByText(`-H 'x-bezant-tenant: ${id}'`).first().waitFor()
    await submit(drawer, t.api.close)
    await page.reload()
    await page.getByRole('link', { name: 'Gold' }).waitFor()
    await assertWell(opened)
    await banner.getByRole('button', { name: t.acting.leave }).click()
    await region(t.health.title).waitFor()
    assert.equal(await banner.count(), 0)
    assert.ok(!(await namesOf(page)).includes(t.pages.cards))
  })

  test(`a tenant is made with a key that is shown once, and is funded, ${way}`, async () => {
    await goTo(page, '/tenants', t.pages.tenants)
    await press(page, words.tenants.create)
    const dialog = dialogOf(page, words.tenants.create)
    await dialog.getByLabel(t.fields.name, { exact: true }).fill(`Reef Finance ${at}`)
    await assertWell(opened)
    await submit(dialog, words.tenants.create)
    const made = dialogOf(page, words.tenants.made)
    assert.match(await made.getByLabel(t.account.key, { exact: true }).inputValue(), /^bz_/)
    await assertWell(opened)
    await submit(made, t.actions.close)
    await titled(page, `Reef Finance ${at}`)
    await press(page, words.funding.fund)
    const fund = dialogOf(page, words.funding.fund)
    await fund.getByLabel(t.fields.amount, { exact: true }).fill('1250.50')
    await assertWell(opened)
    await submit(fund, words.funding.fund)
    const accounts = rowsOf(page, words.funding.title)
    await accounts.getByText('AED 1,250.50', { exact: true }).waitFor()
    await assertWell(opened)
  })

  test(`a shop with an Arabic name is asked for its name on statements ${way}`, async () => {
    const { merchants } = words
    await goTo(page, '/merchants', t.pages.merchants)
    await press(page, merchants.create)
    const dialog = dialogOf(page, merchants.create)
    await dialog.getByLabel(merchants.name, { exact: true }).fill('بيت القهوة')
    await pressIn(dialog, merchants.create)
    const field = dialog.getByLabel(merchants.descriptor, { exact: true })
    await dialog.locator('[aria-invalid=true]').waitFor()
    assert.equal(await field.getAttribute('aria-invalid'), 'true')
    await dialog.getByText(/^is required if/).waitFor()
    await assertWell(opened)
    await field.fill('BAIT AL QAHWA')
    await submit(dialog, merchants.create)
    await page.getByRole('heading', { level: 1 }).filter({ hasText: 'بيت القهوة' }).waitFor()
    await page.getByText('BAIT AL QAHWA', { exact: true }).waitFor()
    await assertWell(opened)
  })

  test(`settings of a tenant are changed, those of the operator too, ${way}`, async () => {
    await go(`/tenants/${id}`)
    const label = t.settings.names.rate_limit_per_second
    await press(page, `${t.settings.change}: ${label}`)
    const dialog = dialogOf(page, t.settings.change)
    await dialog.getByLabel(label).fill('77')
    await submit(dialog, t.actions.save)
    await page.getByText('77', { exact: true }).waitFor()
    await assertWell(opened)
  })

  test(`keys of a product have check values, and one is imported ${way}`, async () => {
    await go(`/tenants/${id}`)
    await page.getByRole('link', { name: 'Gold' }).click()
    await page.getByText(words.products.unprotected, { exact: true }).waitFor()
    await press(page, words.products.set_protection)
    const protection = dialogOf(page, words.products.set_protection)
    await protection.getByLabel(words.products.components).fill(PROTECTION_KEY)
    await assertWell(opened)
    await submit(protection, t.actions.save)
    await page.getByText('SET', { exact: true }).waitFor()
    await press(page, words.products.import)
    const dialog = dialogOf(page, words.products.import)
    await dialog.getByLabel(words.products.key, { exact: true }).selectOption('zpk')
    await dialog.getByLabel(words.products.block).fill(KEY_BLOCK)
    await assertWell(opened)
    await submit(dialog, words.products.import)
    await press(page, t.api.button)
    // The list of calls is loaded when it is first opened.
    await drawer.getByRole('group').filter({ hasText: '-X POST' }).first().waitFor()
    const calls = (await drawer.textContent()) ?? ''
    assert.ok(!calls.includes(PROTECTION_KEY) && !calls.includes(KEY_BLOCK))
    await submit(drawer, t.api.close)
    await assertWell(opened)
  })

  test(`a rate of a tenant is set both ways, and its age is shown, ${way}`, async () => {
    await goTo(page, '/rates', t.pages.rates)
    await press(page, words.rates.set)
    const dialog = dialogOf(page, words.rates.set)
    await dialog.getByLabel(words.rates.from, { exact: true }).fill('usd')
    await dialog.getByLabel(words.rates.to, { exact: true }).fill('AED')
    await dialog.getByLabel(words.rates.rate, { exact: true }).fill('3.6725')
    await dialog.getByText('0.272294').waitFor()
    await dialog.getByLabel(words.rates.back, { exact: true }).fill('0.2722')
    await dialog.getByLabel(words.rates.for, { exact: true }).selectOption(id)
    await assertWell(opened)
    await submit(dialog, words.rates.set)
    const rates = rowsOf(page, t.pages.rates).filter({ hasText: name })
    await rates.getByText('AED/USD').waitFor()
    await rates.getByText('USD/AED').waitFor()
    await assertWell(opened)
  })

  test(`a merchant gets a key pair that is shown once and revoked ${way}`, async () => {
    await goTo(page, '/merchants', t.pages.merchants)
    await press(page, words.merchants.create)
    const dialog = dialogOf(page, words.merchants.create)
    await dialog.getByLabel(words.tenant, { exact: true }).selectOption(id)
    await dialog.getByLabel(words.merchants.name, { exact: true }).fill('Palm Books')
    await assertWell(opened)
    await dialog.getByLabel(words.merchants.partial_captures, { exact: true }).check()
    await submit(dialog, words.merchants.create)
    await page.getByText(words.merchants.allowed, { exact: true }).waitFor()
    await headed(page, 'Palm Books')
    await press(page, words.merchants.create_key)
    const pair = dialogOf(page, words.merchants.create_key)
    await pressIn(pair, words.merchants.create_key)
    const made = dialogOf(page, words.merchants.made)
    assert.match(await made.getByLabel(words.merchants.private_key).inputValue(), /^sk_/)
    await assertWell(opened)
    await submit(made, t.actions.close)
    await page.getByRole('button', { name: `${t.api_keys.revoke}: pk_` }).click()
    await submit(dialogOf(page, t.api_keys.revoke), t.api_keys.revoke)
    await page.getByText('REVOKED').waitFor()
    await press(page, words.merchants.change)
    const change = dialogOf(page, words.merchants.change)
    await change.getByLabel(words.merchants.city, { exact: true }).fill('Abu Dhabi')
    await change.getByLabel(words.merchants.kept_cards, { exact: true }).check()
    await submit(change, t.actions.save)
    await page.getByText('Abu Dhabi').waitFor()
    await page.getByText(words.merchants.allowed, { exact: true }).nth(1).waitFor()
    await press(page, words.merchants.brand)
    const brand = dialogOf(page, words.merchants.brand)
    await brand.getByLabel(words.merchants.brand_color, { exact: true }).fill('#0b6e4f')
    const picture = { name: 'logo.png', mimeType: 'image/png', buffer: PNG }
    await brand.locator('input[type=file]').setInputFiles(picture)
    await assertWell(opened)
    await submit(brand, t.actions.save)
    await page.getByText('#0b6e4f').waitFor()
    await page.getByText(words.merchants.own, { exact: true }).waitFor()
    await assertWell(opened)
  })

  test(`a mail is read, and its link leads to the page of the invitation, ${way}`, async () => {
    const email = someEmail()
    const invitation = { email, role: 'operator_support' }
    await owner.browser.ask('POST', '/portal/v1/invitations', invitation)
    await go(`/mails?to=${email}`)
    await rowsOf(page, t.pages.mails).getByRole('button').first().click()
    const link = page.getByRole('dialog').getByRole('link')
    assert.match(String(await link.getAttribute('href')), /^\/console\/invitation\?token=/)
    await assertWell(opened)
  })

  test(`support reads the pages and has no action but those of its role ${way}`, async () => {
    const seen = await stage.open(support.email, `/tenants/${id}`, options)
    await titled(seen.page, name)
    await seen.page.getByRole('table', { name: words.funding.title, exact: true }).waitFor()
    await assertWell(seen)
    const buttons = await seen.page.locator('main').getByRole('button').allTextContents()
    assert.deepEqual(buttons, [words.act_for])
  })
}
