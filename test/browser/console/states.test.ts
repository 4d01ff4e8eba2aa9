/** States of the pages where people begin, before they have signed in. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keeper } from '#test/support/keeper.ts'
import { memberWith, PASSWORD } from '#test/support/portal/browser.ts'
import { openConsole } from './stage.ts'
import { assertWell, press, titled, WAYS } from './ways.ts'
import { arabic, english } from './words.ts'

const keep = keeper()
const stage = keep(await openConsole())
const { world } = stage
const EMAIL = 'layla@example.com'

for (const { way, t, options } of WAYS) {
  test(`the language changes below what was typed before a sign-in ${way}`, async () => {
    const opened = await stage.openPage(options)
    const { page, context } = opened
    const other = t === arabic ? english : arabic
    await stage.begin(page)
    for (const [name, words] of [['sign_in', other] as const, ['sign_up', t] as const]) {
      const fields = [page.locator('input[type=email]'), page.locator('input[type=password]')]
      await fields[0]?.fill(EMAIL)
      await fields[1]?.fill(PASSWORD)
      await page.locator('header button[lang]').click()
      await titled(page, words.pages[name])
      const typed = await Promise.all(fields.map((field) => field.inputValue()))
      assert.deepEqual(typed, [EMAIL, PASSWORD])
      await assertWell(opened)
      if (name === 'sign_in') {
        await page.getByRole('link', { name: words.pages.sign_up, exact: true }).click()
        await titled(page, words.pages.sign_up)
      }
    }
    await context.close()
  })

  test(`a sign-in that is asked to wait counts down, and goes on by itself, ${way}`, async () => {
    const { email } = await memberWith(world, 'owner', world.tenant.id)
    const opened = await stage.openPage(options)
    const { page, context } = opened
    await stage.begin(page)
    for (const status of [429, 503]) {
      const json = { status, code: status === 429 ? 'rate_limited' : 'unavailable', detail: '' }
      const answer = { status, headers: { 'retry-after': '1' }, json }
      await page.route('**/portal/v1/sessions', (route) => route.fulfill(answer), { times: 1 })
    }
    await page.getByLabel(t.account.email).fill(email)
    await page.getByLabel(t.account.password, { exact: true }).fill(PASSWORD)
    await press(page, t.account.sign_in)
    await titled(page, t.pages.home)
    await context.close()
  })
}
