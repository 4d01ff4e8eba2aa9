/** Every page of the operator's team: what axe-core finds and its width, in both languages. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keeper } from '#test/support/keeper.ts'
import { memberWith } from '#test/support/portal/browser.ts'
import { faultsOfAxe, openConsole, overflowOf } from './stage.ts'

const keep = keeper()
const stage = keep(await openConsole())
const { email } = await memberWith(stage.world, 'operator_owner', null)
const { id } = stage.world.tenant

const isLoaded = "document.querySelector('.mantine-Skeleton-root') === null"

for (const [way, options] of [
  ['in English', { viewport: { width: 1440, height: 900 } }],
  [
    'in Arabic, dark, on a phone',
    { viewport: { width: 390, height: 844 }, locale: 'ar', colorScheme: 'dark' },
  ],
] as const) {
  const opened = await stage.openPage(options)
  keep({ close: () => opened.context.close() })
  const { page, faults } = opened
  await stage.signIn(opened, email, '/home')
  for (const path of [
    ...['home', 'tenants', 'rates', 'merchants', 'mails', 'jobs', 'team', 'audit-log'],
    `tenants/${id}`,
  ]) {
    test(`/${path} ${way}`, async () => {
      await page.goto(`${stage.home}/console/${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForFunction(isLoaded)
      assert.deepEqual(await faultsOfAxe(page), [])
      assert.ok((await overflowOf(page)) <= 0)
      assert.deepEqual(faults, [])
    })
  }
}
