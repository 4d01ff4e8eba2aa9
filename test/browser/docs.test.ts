/** The pages under /docs: their contents, the sign-in, and requests that are tried there. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { keeper } from '#test/support/keeper.ts'
import { PASSWORD } from '#test/support/portal/browser.ts'
import { faultsOfAxe, openConsole, overflowOf } from './console/stage.ts'

const keep = keeper()
const stage = keep(await openConsole())
const { home } = stage
const opened = await stage.openPage({
  viewport: { width: 1440, height: 900 },
  permissions: ['clipboard-read', 'clipboard-write'],
})
keep({ close: () => opened.context.close() })
const { page, faults } = opened

/** Opens the operation in Scalar's own client, sends it, and returns the status of the answer. */
async function tried(own: Page, path: string, key?: string): Promise<number> {
  // Loaded anew: a reference that is not ready yet misses a change of the place alone.
  await own.goto('about:blank')
  await own.goto(`${home}/docs#issuing/tag/cards/GET/cards`)
  if (key !== undefined) {
    await own.getByRole('textbox', { name: 'Value' }).first().fill(key)
  }
  await own.getByRole('button', { name: 'Test Request (get /cards)' }).click()
  const answer = own.waitForResponse((response) => new URL(response.url()).pathname === path)
  await own.getByRole('button', { name: /^Send/ }).first().click()
  return (await answer).status()
}

for (const path of ['/docs/start', '/docs/errors']) {
  test(`${path} is sound in light and dark, wide and on a phone`, async () => {
    for (const options of [
      { viewport: { width: 1440, height: 900 } },
      { viewport: { width: 390, height: 844 }, colorScheme: 'dark' as const },
    ]) {
      const own = await stage.openPage(options)
      await own.page.goto(home + path)
      await own.page.getByRole('link', { name: 'Sign in' }).waitFor()
      assert.deepEqual(await faultsOfAxe(own.page), [])
      assert.ok((await overflowOf(own.page)) <= 0)
      assert.deepEqual(own.faults, [])
      await own.context.close()
    }
  })
}

test('a command is copied as it is', async () => {
  await page.goto(`${home}/docs/start`)
  const block = page.getByRole('region').or(page.locator('.block')).first()
  await block.getByRole('button', { name: 'Copy' }).click()
  await block.getByRole('button', { name: 'Copied' }).waitFor()
  const copied = await page.evaluate('navigator.clipboard.readText()')
  assert.equal(copied, await block.locator('pre').textContent())
})

test('error codes are found by name, status and operation, and each has an address', async () => {
  await page.goto(`${home}/docs/errors`)
  const field = page.getByLabel('Find a code')
  const shown = page.locator('article:visible h3')
  const all = await shown.count()
  for (const [words, code] of [
    ['insufficient', 'insufficient_funds'],
    ['409 receiver', 'receiver_limit_reached'],
    ['/v1/webhooks/{id}:ping', 'webhook_disabled'],
  ] as const) {
    await field.fill(words)
    const codes = await shown.allTextContents()
    assert.ok(codes.includes(code) && codes.length < all, `${words}: ${codes}`)
  }
  await field.fill('nothing of the kind')
  await page.getByText('0 codes').waitFor()
  await page.evaluate("location.hash = '#insufficient_funds'")
  await page.locator('#insufficient_funds:visible').waitFor()
  assert.equal(await field.inputValue(), '')
})

test('without a session the reference offers to sign in, and takes a key', async () => {
  const own = await stage.openPage({ viewport: { width: 1440, height: 900 } })
  await own.page.goto(`${home}/docs`)
  await own.page.getByText('need your session or an API key').waitFor()
  assert.equal(await tried(own.page, '/v1/cards', stage.world.tenant.api_key), 200)
  assert.deepEqual(own.faults, [])
  await own.context.close()
})

test('Sign in leads back to the reference, whose requests have the session', async () => {
  const email = await stage.signUp(page)
  await opened.context.clearCookies()
  await page.goto(`${home}/docs`)
  await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText(`You are signed in as ${email} of Palm Bank`).waitFor()
  assert.equal(await tried(page, '/v1/cards'), 200)
  assert.deepEqual(faults, [])
})

test('the reference asks no other site, and its policy allows no inline script', async () => {
  const answer = await fetch(`${home}/docs`)
  const policy = String(answer.headers.get('content-security-policy'))
  assert.match(policy, /script-src 'self';/)
  assert.match(policy, /connect-src 'self';/)
})
