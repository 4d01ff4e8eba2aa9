/** One browser page goes through the pages by the menu, from a card product to many cards. */

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { authSwitches } from '#client/index.ts'
import { freshBin } from '#test/support/contract/belongings.ts'
import { keeper } from '#test/support/keeper.ts'
import { memberWith } from '#test/support/portal/browser.ts'
import { openConsole } from './stage.ts'
import {
  assertWell,
  dialogOf,
  filterOf,
  goTo,
  headed,
  press,
  pressIn,
  rowsOf,
  submit,
  WAYS,
} from './ways.ts'

const keep = keeper()
const stage = keep(await openConsole())
const { world } = stage
world.sweeper.start()

/** The text of the file that a press downloads. */
async function downloaded(page: Page, start: () => Promise<void>): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), start()])
  return readFile(await download.path(), 'utf8')
}

for (const { way, t, options } of WAYS) {
  const tenant = await world.otherTenant({ default_currency: 'AED' })
  const funding = `/v1/operator/tenants/${tenant.id}/funding`
  await world.request(
    'POST',
    funding,
    { currency: 'AED', amount: 5000 },
    { key: world.operator_key },
  )
  const { email } = await memberWith(world, 'owner', tenant.id)
  const opened = await stage.open(email, '/card-products', options)
  const { page } = opened

  test(`a card product is created, and a use of its cards is turned off, ${way}`, async () => {
    await page.getByText(t.products.none, { exact: true }).waitFor()
    await press(page, t.products.create)
    const dialog = dialogOf(page, t.products.create)
    const first = dialog.getByRole('textbox').first()
    await first.and(page.locator(':focus')).waitFor()
    await dialog.getByLabel(t.products.bin, { exact: true }).fill(freshBin())
    await dialog.getByLabel(t.fields.name, { exact: true }).fill('Travel')
    await dialog.getByLabel(t.products.validity).fill('900')
    await pressIn(dialog, t.products.create)
    await dialog.getByText(t.states.rejected).waitFor()
    await assertWell(opened)
    await dialog.getByLabel(t.products.validity).fill('24')
    await submit(dialog, t.products.create)
    await headed(page, 'Travel')
    for (const { name } of authSwitches) {
      await page.getByRole('switch', { name: t.switches[name], exact: true }).waitFor()
    }
    const name = t.switches.atm
    const use = (checked: boolean) => page.getByRole('switch', { name, exact: true, checked })
    await use(true).click()
    await use(false).waitFor()
    await assertWell(opened)
    await press(page, t.products.edit)
    const edit = dialogOf(page, t.products.edit)
    await edit.getByLabel(t.fields.name, { exact: true }).fill('Voyage')
    await submit(edit, t.actions.save)
    await headed(page, 'Voyage')
  })

  test(`how the bureau makes the cards of a product is chosen, and given up, ${way}`, async () => {
    await press(page, t.products.edit)
    const edit = dialogOf(page, t.products.edit)
    const code = edit.getByLabel(t.products.service_code)
    await code.fill('021')
    await edit.getByLabel(t.products.second_line).fill('Gold member')
    await edit.getByLabel(t.products.pin_mailer).check()
    await edit.getByLabel(t.products.pin_verification).selectOption('OFFSET')
    await pressIn(edit, t.actions.save)
    await edit.locator('[aria-invalid="true"]').and(code).waitFor()
    await assertWell(opened)
    await code.fill('221')
    await submit(edit, t.actions.save)
    const facts = page.getByRole('definition')
    await facts.filter({ hasText: '221' }).waitFor()
    await facts.filter({ hasText: 'Gold member' }).waitFor()
    await facts.filter({ hasText: t.products.pin_verification_names.OFFSET }).waitFor()
    await assertWell(opened)
    await press(page, t.products.edit)
    await code.fill('')
    await edit.getByLabel(t.products.second_line).fill('')
    await edit.getByLabel(t.products.pin_mailer).uncheck()
    await submit(edit, t.actions.save)
    await facts.filter({ hasText: '221' }).waitFor({ state: 'detached' })
  })

  test(`a user is created, suspended with a note, found and exported ${way}`, async () => {
    await goTo(page, '/users', t.pages.users)
    await page.getByText(t.users.none, { exact: true }).waitFor()
    await press(page, t.users.create)
    const dialog = dialogOf(page, t.users.create)
    await dialog.getByLabel(t.users.first_name).fill('Noura')
    await dialog.getByLabel(t.users.last_name).fill('Haddad')
    await assertWell(opened)
    await submit(dialog, t.users.create)
    await headed(page, 'Noura Haddad')
    await press(page, t.reviews.moves.suspend)
    const suspension = dialogOf(page, t.reviews.moves.suspend)
    await suspension.getByLabel(t.reviews.note).fill('Asked by the bank')
    await submit(suspension, t.reviews.moves.suspend)
    await page.getByText('Asked by the bank').waitFor()
    await assertWell(opened)
    await press(page, t.reviews.moves.resume)
    await submit(dialogOf(page, t.reviews.moves.resume), t.reviews.moves.resume)
    await page.getByRole('button', { name: t.reviews.moves.suspend, exact: true }).waitFor()

    await goTo(page, '/users', t.pages.users)
    const status = await filterOf(page, t, t.fields.status)
    await status.selectOption('SUSPENDED')
    await page.getByText(t.filters.no_fit, { exact: true }).waitFor()
    await assertWell(opened)
    await status.selectOption('')
    await page.getByLabel(t.reviews.find).fill('noura')
    await page.getByLabel(t.reviews.find).press('Enter')
    await rowsOf(page, t.pages.users).filter({ hasText: 'Noura Haddad' }).waitFor()
    await assertWell(opened)
    const csv = await downloaded(page, () => press(page, t.downloads.export))
    assert.match(csv, /^id,name,.*\r\n[\w-]{36},Noura Haddad,INDIVIDUAL,ACTIVE,/)
  })

  test(`a card is issued, activated, shown by its widget, suspended and resumed ${way}`, async () => {
    await goTo(page, '/cards', t.pages.cards)
    await page.getByText(t.cards.none, { exact: true }).waitFor()
    await press(page, t.cards.issue)
    const dialog = dialogOf(page, t.cards.issue)
    await dialog.getByRole('combobox', { name: t.fields.user }).fill('Nou')
    const person = page.getByRole('option', { name: 'Noura Haddad' })
    await person.waitFor()
    await assertWell(opened)
    await person.click()
    await submit(dialog, t.cards.issue)
    await headed(page, 'INACTIVE')
    await press(page, t.cards.moves.activate)
    await submit(dialogOf(page, t.cards.moves.activate), t.cards.moves.activate)
    await headed(page, 'ACTIVE')
    await assertWell(opened)
    const widget = t.cards.widgets.CARD_DETAILS
    await press(page, widget)
    const frame = page.frameLocator(`iframe[title="${widget}"]`)
    await frame.getByText(/^(\d{4} ){3}\d{4}$/).waitFor()
    await assertWell(opened)
    await submit(dialogOf(page, widget), t.actions.close)
    await press(page, t.cards.moves.suspend)
    const suspension = dialogOf(page, t.cards.moves.suspend)
    await suspension.getByLabel(t.cards.note).fill('Left at a hotel')
    await submit(suspension, t.cards.moves.suspend)
    await headed(page, 'SUSPENDED')
    await assertWell(opened)
    await press(page, t.cards.moves.resume)
    await submit(dialogOf(page, t.cards.moves.resume), t.cards.moves.resume)
    await headed(page, 'ACTIVE')
  })

  test(`an account is loaded after a check, and its statement is downloaded, ${way}`, async () => {
    await goTo(page, '/accounts', t.pages.accounts)
    const account = rowsOf(page, t.pages.accounts).filter({ hasText: 'Noura Haddad' })
    await account.waitFor()
    await assertWell(opened)
    await account.getByRole('link').first().click()
    await headed(page, 'ACTIVE')
    await press(page, t.accounts.load)
    const dialog = dialogOf(page, t.accounts.load)
    await dialog.getByRole('textbox').first().fill('250.5')
    await dialog.getByLabel(t.accounts.notes).fill('First load')
    await pressIn(dialog, t.rehearse.check)
    await dialog.getByRole('region', { name: t.rehearse.title }).waitFor()
    await dialog.getByText('AED 250.50').waitFor()
    await assertWell(opened)
    await submit(dialog, t.accounts.load)
    await rowsOf(page, t.accounts.entries).filter({ hasText: 'First load' }).waitFor()
    await assertWell(opened)
    await press(page, t.accounts.statement)
    const statement = dialogOf(page, t.accounts.statement)
    const csv = await downloaded(page, () => submit(statement, t.accounts.download))
    assert.match(csv, /250\.50?\b.*First load|First load.*250\.50?\b/)
  })

  test(`three cards are issued at once, after a check of the funds, ${way}`, async () => {
    await goTo(page, '/bulk-issuance', t.pages.bulk_issuance)
    await page.getByText(t.bulk.none, { exact: true }).waitFor()
    await press(page, t.bulk.create)
    const dialog = dialogOf(page, t.bulk.create)
    await dialog.getByLabel(t.bulk.number).fill('3')
    await dialog.getByLabel(t.bulk.amount).fill('10')
    await pressIn(dialog, t.rehearse.check)
    await dialog.getByText('AED 30.00').waitFor()
    await assertWell(opened)
    await submit(dialog, t.bulk.create)
    await headed(page, 'COMPLETED')
    await rowsOf(page, t.bulk.cards).nth(2).waitFor()
    await assertWell(opened)
    await page.getByRole('link', { name: t.bulk.all_cards }).click()
    await page.getByLabel(t.pages.bulk_issuance, { exact: true }).waitFor()
    const cards = rowsOf(page, t.pages.cards)
    await cards.filter({ hasText: 'INACTIVE' }).nth(2).waitFor()
    assert.equal(await cards.count(), 3)
    await assertWell(opened)
  })
}
