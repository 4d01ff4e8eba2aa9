/** Forms of the console: the typed text, its faults, and the changes that it has made. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { asker, createBelongings } from '#test/support/contract/belongings.ts'
import { keeper } from '#test/support/keeper.ts'
import { giveSecondFactor, memberWith, PASSWORD } from '#test/support/portal/browser.ts'
import { openConsole } from './stage.ts'
import {
  assertWell,
  dialogOf,
  fill,
  headed,
  press,
  pressIn,
  regionOf,
  submit,
  titled,
  WAYS,
} from './ways.ts'
import { arabic, type Words } from './words.ts'

const keep = keeper()
const stage = keep(await openConsole())
const { world, home } = stage
const { tenant, ids } = await createBelongings(world)
const ask = asker(world, tenant.api_key)
const { email } = await memberWith(world, 'owner', tenant.id)

/** The sentence that the last action left, for the eye and for a reader of the screen. */
const said = (page: Page, t: Words, text: string): Promise<void> =>
  page.getByRole('status', { name: t.shell.last_change, exact: true }).getByText(text).waitFor()

const openAccount = (page: Page) => page.goto(`${home}/console/accounts/${ids.account}`)

for (const { way, t, options } of WAYS) {
  test(`an action says that it worked and what it has changed ${way}`, async () => {
    const opened = await stage.open(email, `/card-products/${ids.card_product}`, options)
    const { page, context } = opened
    await press(page, t.products.edit)
    const dialog = dialogOf(page, t.products.edit)
    await dialog.getByLabel(t.fields.name, { exact: true }).fill(`Gold ${way}`)
    await submit(dialog, t.actions.save)
    await said(page, t, fill(t.said.saved, { names: t.fields.name }))
    await assertWell(opened)
    await context.close()
  })

  test(`an action that the object offers no more is gone after its refusal ${way}`, async () => {
    const card = await ask('POST', '/v1/cards', {
      user_id: ids.user,
      card_product_id: ids.card_product,
      card_type: 'VIRTUAL',
    })
    const change = (status: string, status_reason_code: string) =>
      ask('PUT', `/v1/cards/${card.id}:statuschange`, { status, status_reason_code })
    if (card.status !== 'ACTIVE') await change('ACTIVE', 'A0')
    const opened = await stage.open(email, `/cards/${card.id}`, options)
    const { page, context } = opened
    await press(page, t.cards.moves.suspend)
    const dialog = dialogOf(page, t.cards.moves.suspend)
    await dialog.waitFor()
    await change('TERMINATED', 'T0')
    await pressIn(dialog, t.cards.moves.suspend)
    await page.getByRole('heading', { level: 1 }).getByText('TERMINATED').waitFor()
    await dialog.waitFor({ state: 'hidden' })
    const region = page.getByRole('status', { name: t.shell.last_change, exact: true })
    await region.locator('p').waitFor()
    assert.equal(
      await page.getByRole('button', { name: t.cards.moves.suspend, exact: true }).count(),
      0,
    )
    await assertWell(opened)
    await context.close()
  })

  test(`an amount is taken as the console writes it, and in Arabic digits, ${way}`, async () => {
    const opened = await stage.open(email, `/accounts/${ids.account}`, options)
    const { page, context } = opened
    const before = await ask('GET', `/v1/accounts/${ids.account}`)
    const { currency } = before
    const sent: number[] = []
    await page.route(/:loadfunds$/, (route) => {
      sent.push(Number(JSON.parse(route.request().postData() ?? '{}').amount))
      return route.continue()
    })
    for (const typed of ['1,000.50', `${currency} 1,000.50`, '١٬٠٠٠٫٥٠', '۱۰۰۰.۵']) {
      await press(page, t.accounts.load)
      const dialog = dialogOf(page, t.accounts.load)
      await dialog.getByLabel(fill(t.accounts.amount_in, { currency }), { exact: true }).fill(typed)
      await pressIn(dialog, t.rehearse.check)
      await dialog.getByText(t.rehearse.title, { exact: true }).waitFor()
      assert.equal(sent.at(-1), 1000.5, typed)
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'hidden' })
    }
    await context.close()
  })

  test(`an answer of 429 or 503 counts down, and the page goes on by itself, ${way}`, async () => {
    const opened = await stage.open(email, '/home', options)
    const { page, context } = opened
    for (const status of [429, 503]) {
      let left = 1
      await page.route(/\/v1\/accounts\/[^/?]+$/, async (route) => {
        if (left-- <= 0) return route.continue()
        const json = { status, code: status === 429 ? 'rate_limited' : 'unavailable', detail: '' }
        await route.fulfill({ status, headers: { 'retry-after': '2' }, json })
      })
      await openAccount(page)
      await page.getByText(t.states.goes_on, { exact: true }).waitFor({ state: 'attached' })
      await regionOf(page, t.accounts.entries).waitFor()
      await page.unroute(/\/v1\/accounts\/[^/?]+$/)
    }
    await context.close()
  })

  test(`a change that was answered 503 is made by itself, with one key, ${way}`, async () => {
    const opened = await stage.open(email, `/accounts/${ids.account}`, options)
    const { page, context } = opened
    const keys: (string | undefined)[] = []
    await page.route(/:charge$/, async (route) => {
      keys.push(route.request().headers()['x-bezant-idempotency-key'])
      if (keys.length > 1) return route.continue()
      const json = { status: 503, code: 'unavailable', detail: 'Busy.' }
      await route.fulfill({ status: 503, headers: { 'retry-after': '1' }, json })
    })
    const body = await ask('GET', `/v1/accounts/${ids.account}`)
    await press(page, t.accounts.charge)
    const dialog = dialogOf(page, t.accounts.charge)
    const label = fill(t.accounts.amount_in, { currency: body.currency })
    await dialog.getByLabel(label, { exact: true }).fill('1')
    await dialog.getByLabel(t.accounts.description).fill('Fee')
    await pressIn(dialog, t.accounts.charge)
    await dialog.waitFor({ state: 'hidden' })
    assert.equal(keys.length, 2)
    assert.equal(keys[0], keys[1])
    await context.close()
  })

  test(`the language changes below what was typed ${way}`, async () => {
    const opened = await stage.open(email, '/simulator', options)
    const { page, context } = opened
    const amount = page.getByLabel(t.fields.amount, { exact: true }).first()
    await amount.fill('77.25')
    const other = t === arabic ? 'en' : 'ar'
    await page.getByRole('button', { name: t.shell.more }).click()
    await page.locator(`[role=menuitemradio][lang=${other}]`).click()
    await page.waitForFunction(`document.documentElement.lang === '${other}'`)
    assert.equal(await page.locator('input[value="77.25"]').count(), 1)
    await context.close()
  })

  test(`the second step of a sign-in takes a code with its blank, and leads back, ${way}`, async () => {
    const member = await memberWith(world, 'viewer', tenant.id)
    const { codes } = await giveSecondFactor(world, member.id)
    const [code = ''] = codes
    const opened = await stage.openPage(options)
    const { page, context } = opened
    await stage.begin(page)
    const give = async () => {
      await page.getByLabel(t.account.email).fill(member.email)
      await page.getByLabel(t.account.password, { exact: true }).fill(PASSWORD)
      await press(page, t.account.sign_in)
      await page.getByLabel(t.account.code, { exact: true }).waitFor()
    }
    await give()
    await assertWell(opened)
    await press(page, t.account.back)
    await page.getByLabel(t.account.email).waitFor()
    await give()
    await page
      .getByLabel(t.account.code, { exact: true })
      .fill(`${code.slice(0, 3)} ${code.slice(3)}`)
    await press(page, t.account.verify)
    await titled(page, t.pages.home)
    await context.close()
  })
}

test('a fault is at its field, in the words of the form and the language of the page', async () => {
  const opened = await stage.open(email, `/accounts/${ids.account}`, { locale: 'ar' })
  const { page, context } = opened
  const t = arabic
  const body = await ask('GET', `/v1/accounts/${ids.account}`)
  const label = fill(t.accounts.amount_in, { currency: body.currency })
  await headed(page, body.status)
  await press(page, t.accounts.charge)
  const dialog = dialogOf(page, t.accounts.charge)
  const field = dialog.getByLabel(label, { exact: true })
  await field.fill('-5')
  await dialog.getByLabel(t.accounts.description).fill('Fee')
  await pressIn(dialog, t.accounts.charge)
  await dialog.locator('[aria-invalid=true]').waitFor()
  assert.equal(await field.getAttribute('aria-invalid'), 'true')
  assert.doesNotMatch(await dialog.innerText(), /must |is required/)
  await field.fill('999999999')
  await pressIn(dialog, t.accounts.charge)
  await dialog.getByText('الأموال المتاحة لا تغطي هذا المبلغ.').waitFor()
  await assertWell(opened)
  await context.close()
})
