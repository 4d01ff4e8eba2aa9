/** The console in a browser: from an account to an approved payment, and every page of the menu. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import axe from 'axe-core'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { withBoundPorts } from '#src/config/config.ts'
import { openBrowser } from '#test/support/browser.ts'
import { keeper } from '#test/support/keeper.ts'
import { PASSWORD, someEmail } from '#test/support/portal/browser.ts'
import { PATIENCE_MS } from '#test/support/time/patience.ts'
import { openWorld } from '#test/support/world.ts'

const keep = keeper()
const world = keep(await openWorld())
const home = await world.app.listen({ host: '127.0.0.1', port: 0 })
world.bind(withBoundPorts(world.config, { port: Number(new URL(home).port), network_port: 9 }))
const browser = keep(await openBrowser())

/** A page that fails at an error of its own and at a request to another origin. */
async function openPage(options: BrowserContextOptions = {}) {
  // The policy of the console lets no script of a test in.
  const context = await browser.newContext({ bypassCSP: true, ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (protocol.startsWith('http') && origin !== home) faults.push(request.url())
  })
  return { page, context, faults }
}

async function signUp(page: Page): Promise<void> {
  await page.goto(`${home}/console/sign-up`)
  await page.getByLabel('E-mail').fill(someEmail())
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Organization').fill('Palm Bank')
  await page.getByRole('button', { name: 'Create account' }).click()
}

const faultsOfAxe = (page: Page): Promise<string[]> =>
  page.evaluate(`${axe.source}; axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html }) => id + ' ' + html)))`)

for (const [width, height] of [
  [390, 844],
  [1440, 900],
] as const) {
  test(`a person signs up and sees an approved payment at ${width} pixels`, async () => {
    const { page, context, faults } = await openPage({ viewport: { width, height } })
    await signUp(page)
    const key = page.getByLabel('API key', { exact: true })
    assert.match(await key.inputValue(), /^\S{20,}$/)
    assert.equal(await key.isEditable(), false)
    await page.getByRole('button', { name: 'Copy' }).waitFor()
    await page.getByRole('link', { name: 'Continue' }).click()
    for (let done = 1; done <= 5; done++) {
      await page.getByRole('button', { name: /^Run/ }).click()
      await page.getByText(`${done} of 5 done`).first().waitFor()
    }
    await page.goto(`${home}/console/simulator`)
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('region', { name: 'Decision' }).getByText('0000').first().waitFor()
    await page.getByRole('region', { name: 'Message' }).waitFor()
    await page.getByRole('link', { name: 'Open the transaction' }).click()
    await page.getByRole('heading', { name: 'Decision path' }).waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  })
}

describe('every page of the menu', async () => {
  const opened = await openPage({ viewport: { width: 1440, height: 900 } })
  const { page, faults } = opened
  keep({ close: () => opened.context.close() })
  await signUp(page)
  await page.getByRole('link', { name: 'Continue' }).click()
  const links = page.getByRole('navigation', { name: 'Menu' }).getByRole('link')
  await links.first().waitFor()
  for (const name of await links.allTextContents()) {
    for (const colorScheme of ['light', 'dark'] as const) {
      test(`${name} has its name, and nothing for axe to find, in ${colorScheme}`, async () => {
        await page.emulateMedia({ colorScheme })
        await page.getByRole('link', { name, exact: true }).first().click()
        await page.getByRole('heading', { name, level: 1, exact: true }).waitFor()
        await page.waitForLoadState('networkidle')
        assert.equal(await page.title(), name)
        assert.deepEqual(await faultsOfAxe(page), [])
        assert.deepEqual(faults, [])
      })
    }
  }
})

test('Sign in says the same of a wrong password and of an unknown address', async () => {
  const { page, context } = await openPage({ locale: 'en' })
  await page.goto(`${home}/console/sign-in`)
  await page.getByLabel('E-mail').fill(someEmail())
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('The e-mail or the password is wrong.').waitFor()
  assert.deepEqual(await faultsOfAxe(page), [])
  await context.close()
})

test('Arabic pages are read from right to left', async () => {
  const { page, context } = await openPage({ locale: 'ar', viewport: { width: 390, height: 844 } })
  await page.goto(`${home}/console/sign-up`)
  await page.getByRole('heading', { name: 'إنشاء حساب', level: 1 }).waitFor()
  assert.equal(await page.locator('html').getAttribute('dir'), 'rtl')
  assert.deepEqual(await faultsOfAxe(page), [])
  await context.close()
})

test('the policy allows no inline code, and assets are kept for ever', async () => {
  const answer = await fetch(`${home}/console/home`)
  const policy = String(answer.headers.get('content-security-policy'))
  assert.ok(!policy.includes('unsafe'), policy)
  const [asset] = /\/console\/assets\/[\w.-]+\.js/.exec(await answer.text()) ?? []
  const { headers } = await fetch(`${home}${asset}`)
  assert.match(String(headers.get('cache-control')), /immutable/)
})
