/** Every page of the menu: its name, what axe-core finds, its width, in both languages. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { keeper } from '#test/support/keeper.ts'
import { signUp } from '#test/support/portal/browser.ts'
import { faultsOfAxe, IS_LOADED, openConsole, overflowOf, smallTargetsOf } from './stage.ts'
import { PHONE, WIDE } from './ways.ts'
import { english } from './words.ts'

const keep = keeper()
const stage = keep(await openConsole())
const { email } = await signUp(stage.world)

const LIGHT = { viewport: WIDE, colorScheme: 'light' } as const
const DARK = { viewport: PHONE, colorScheme: 'dark' } as const
/** Each language in each width, and each scheme in each language by axe-core, which takes longest. */
const WAYS = [
  { way: 'in English, light', options: LIGHT, hasAxe: true },
  { way: 'in English, dark, on a phone', options: DARK, hasAxe: false },
  { way: 'in Arabic, light', options: { ...LIGHT, locale: 'ar' }, hasAxe: false },
  { way: 'in Arabic, dark, on a phone', options: { ...DARK, locale: 'ar' }, hasAxe: true },
]

type Entry = { name: string; path: string }

/** The entries of the menu, which a phone has in a drawer that is not open. */
async function entriesOf(page: Page): Promise<Entry[]> {
  const links = page.locator('nav a[href^="/console/"]')
  // They come with the session, which the heading does not wait for.
  await links.first().waitFor({ state: 'attached' })
  return links.evaluateAll((found) =>
    found.map((link) => ({
      name: link.textContent ?? '',
      path: String(link.getAttribute('href')),
    })),
  )
}

for (const { way, options, hasAxe } of WAYS) {
  const { page, faults } = await stage.open(email, '/home', options)
  await page.getByRole('heading', { level: 1 }).waitFor()
  const entries = await entriesOf(page)
  assert.ok(entries.length > 10, String(entries.length))
  const expected = 'locale' in options ? ['ar', 'rtl'] : ['en', 'ltr']
  for (const { name, path } of entries) {
    test(`${name} ${way}`, async () => {
      // A phone has the menu in a drawer that is not open, and its links work without.
      await page.locator(`nav a[href="${path}"]`).dispatchEvent('click')
      await page.getByRole('heading', { name, level: 1, exact: true }).waitFor()
      await page.waitForFunction(IS_LOADED)
      // It is set after the page was rendered.
      await page.waitForFunction(`document.title === ${JSON.stringify(name)}`)
      const html = page.locator('html')
      assert.deepEqual([await html.getAttribute('lang'), await html.getAttribute('dir')], expected)
      if (hasAxe) assert.deepEqual(await faultsOfAxe(page), [])
      assert.ok((await overflowOf(page)) <= 0)
      if (options.viewport === PHONE) assert.deepEqual(await smallTargetsOf(page), [])
      assert.deepEqual(faults, [])
    })
  }
}

test('the page of a card that is not there says so, and offers no other try', async () => {
  const path = '/cards/01900000-0000-7000-8000-00000000dead'
  const { page, faults } = await stage.open(email, path, LIGHT)
  await page.getByRole('alert').waitFor()
  assert.equal(await page.getByRole('alert').innerText(), english.states.missing)
  assert.deepEqual([await faultsOfAxe(page), faults], [[], []])
})
