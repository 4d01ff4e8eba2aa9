/** Every page of the menu: its name, what axe-core finds, its width, in both languages. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { keeper } from '#test/support/keeper.ts'
import { faultsOfAxe, openConsole, overflowOf } from './stage.ts'

const keep = keeper()
const stage = keep(await openConsole())
const first = await stage.openPage()
const email = await stage.signUp(first.page)
await first.context.close()

const WIDE = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }
const WAYS = [
  ['in English, light', { viewport: WIDE }],
  ['in English, dark, on a phone', { viewport: PHONE, colorScheme: 'dark' }],
  ['in Arabic, dark', { viewport: WIDE, colorScheme: 'dark', locale: 'ar' }],
  ['in Arabic, on a phone', { viewport: PHONE, locale: 'ar' }],
] as const

const isLoaded = "document.querySelector('.mantine-Skeleton-root') === null"

type Entry = { name: string; path: string }

/** The entries of the menu, which a phone has in a drawer that is not open. */
const entriesOf = (page: Page): Promise<Entry[]> =>
  page.locator('nav a[href^="/console/"]').evaluateAll((found) =>
    found.map((link) => ({
      name: link.textContent ?? '',
      path: String(link.getAttribute('href')),
    })),
  )

for (const [way, options] of WAYS) {
  const opened = await stage.openPage(options)
  keep({ close: () => opened.context.close() })
  const { page, faults } = opened
  await stage.signIn(opened, email, '/home')
  await page.getByRole('heading', { level: 1 }).waitFor()
  const entries = await entriesOf(page)
  assert.ok(entries.length > 10, String(entries.length))
  const expected = 'locale' in options ? ['ar', 'rtl'] : ['en', 'ltr']
  for (const { name, path } of entries) {
    test(`${name} ${way}`, async () => {
      await page.goto(`${stage.home}${path}`)
      await page.getByRole('heading', { name, level: 1, exact: true }).waitFor()
      await page.waitForFunction(isLoaded)
      assert.equal(await page.title(), name)
      const html = page.locator('html')
      assert.deepEqual([await html.getAttribute('lang'), await html.getAttribute('dir')], expected)
      assert.deepEqual(await faultsOfAxe(page), [])
      assert.ok((await overflowOf(page)) <= 0)
      assert.deepEqual(faults, [])
    })
  }
}
