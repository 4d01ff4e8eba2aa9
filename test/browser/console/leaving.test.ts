/** A page while money moves: nobody leaves it before the answer says whether it has moved. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keeper } from '#test/support/keeper.ts'
import { makePayer } from './payer.ts'
import { openConsole } from './stage.ts'
import { dialogOf, press, pressIn, titled, WIDE } from './ways.ts'
import { english as t } from './words.ts'

const keep = keeper()
const stage = keep(await openConsole())

/** Goes back, and waits until the page has undone it. */
const GO_BACK = `new Promise((resolve) => {
  let moves = 0
  addEventListener('popstate', () => { if (++moves === 2) resolve() })
  history.back()
})`

test('no link, key, cross or Back leaves the page while money moves, and each does afterwards', async () => {
  const { card, email } = await makePayer(stage.world)
  const { page } = await stage.open(email, '/accounts', { viewport: WIDE })
  await page.locator(`main a[href$="/accounts/${card.account_id}"]`).first().click()
  await press(page, t.accounts.load)
  const dialog = dialogOf(page, t.accounts.load)
  await dialog.getByRole('textbox').first().fill('100')
  await pressIn(dialog, t.rehearse.check)
  await dialog.getByRole('region', { name: t.rehearse.title }).waitFor()
  const [answer, moving] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await page.route('**/*:loadfunds', async (route) => {
    moving.resolve()
    await answer.promise
    await route.continue()
  })
  const here = page.url()
  await pressIn(dialog, t.accounts.load)
  await moving.promise

  await page.locator('nav a[href="/console/cards"]').first().dispatchEvent('click')
  await page.evaluate(GO_BACK)
  await page.keyboard.press('Escape')
  await page.locator('.mantine-Modal-inner').last().dispatchEvent('click')
  const cross = dialog.getByRole('button', { name: t.actions.close, exact: true })
  assert.ok(await cross.isDisabled())
  const asked = page.waitForEvent('dialog')
  await page.close({ runBeforeUnload: true })
  const question = await asked
  assert.equal(question.type(), 'beforeunload')
  await question.dismiss()
  assert.equal(page.url(), here)
  assert.ok(await dialog.isVisible())

  answer.resolve()
  await dialog.waitFor({ state: 'hidden' })
  await page.locator('nav a[href="/console/cards"]').first().click()
  await titled(page, t.pages.cards)
  await page.goBack()
  await page.goBack()
  await titled(page, t.pages.accounts)
})
