/** Every page of the operator's team: findings of axe-core and the width, in both languages. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keeper } from '#test/support/keeper.ts'
import { memberWith } from '#test/support/portal/browser.ts'
import { openConsole } from './stage.ts'
import { assertWell, FAR, PHONE, titled, WAYS } from './ways.ts'

const keep = keeper()
const stage = keep(await openConsole())
const { world, home } = stage
const { email } = await memberWith(world, 'operator_owner', null)
const { id } = world.tenant

const NAMES = [
  ...(['home', 'reviews', 'tenants', 'rates', 'merchants', 'mails', 'jobs', 'team'] as const),
  ...(['reconciliation', 'audit_log', 'merchant_payouts', 'clearings', 'networks'] as const),
] as const

for (const { way, t, options } of new Set([...WAYS, FAR])) {
  const colorScheme = options.viewport === PHONE ? 'dark' : 'light'
  const opened = await stage.open(email, '/home', { ...options, colorScheme })
  const { page } = opened
  const pages = NAMES.map((name) => [name.replace('_', '-'), t.pages[name]] as const)
  for (const [path, name] of [...pages, [`tenants/${id}`, `tenant ${id}`] as const]) {
    test(`/${path} ${way}, ${colorScheme}`, async () => {
      await page.goto(`${home}/console/${path}`)
      await titled(page, name)
      assert.equal(await page.locator('html').getAttribute('lang'), options.locale)
      await assertWell(opened)
    })
  }
}
