/** The forms before a session: two presses are one call, and a lost answer is shown as one. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page, Request } from 'playwright-core'
import { keeper } from '#test/support/keeper.ts'
import { memberWith, PASSWORD, someEmail } from '#test/support/portal/browser.ts'
import { openConsole } from './stage.ts'
import { WIDE } from './ways.ts'
import { english as t } from './words.ts'

const keep = keeper()
const stage = keep(await openConsole())
const { world, home } = stage
const member = await memberWith(world, 'owner', world.tenant.id)

type Field = readonly [label: string, text: string]
type Form = {
  path: string
  call: string
  button: string
  fields: readonly Field[]
}

const forms: Form[] = [
  {
    path: 'sign-up',
    call: '/portal/v1/registrations',
    button: t.entrance.create,
    fields: [
      [t.account.email, someEmail()],
      [t.account.password, PASSWORD],
      [t.entrance.organization, 'Palm Bank'],
    ],
  },
  {
    path: 'sign-in',
    call: '/portal/v1/sessions',
    button: t.account.sign_in,
    fields: [
      [t.account.email, member.email],
      [t.account.password, PASSWORD],
    ],
  },
  {
    path: 'forgot',
    call: '/portal/v1/passwords:reset',
    button: t.mailed.send,
    fields: [[t.account.email, member.email]],
  },
  {
    path: 'reset?token=x',
    call: '/portal/v1/passwords:confirm',
    button: t.mailed.replace,
    fields: [[t.account.password, PASSWORD]],
  },
  {
    path: 'invitation?token=x',
    call: '/portal/v1/invitations:accept',
    button: t.mailed.join,
    fields: [[t.account.password, PASSWORD]],
  },
  {
    path: 'confirm?token=x',
    call: '/portal/v1/registrations:confirm',
    button: t.mailed.confirm,
    fields: [],
  },
]

/** Both in one task of the page: nothing is drawn in between. */
const pressTwice = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).evaluate((element: { click: () => void }) => {
    element.click()
    element.click()
  })

for (const { path, call, button, fields } of forms) {
  test(`${call}: two presses are one call, and a lost answer is shown as one`, async () => {
    const { page, context } = await stage.openPage({ viewport: WIDE })
    keep({ close: () => context.close() })
    const asked: Request[] = []
    await page.route(`**${call}`, async (route) => {
      asked.push(route.request())
      await route.abort('connectionreset')
    })
    await page.goto(`${home}/console/${path}`)
    for (const [label, text] of fields) await page.getByLabel(label, { exact: true }).fill(text)
    await pressTwice(page, button)
    await page.getByText(t.states.no_answer, { exact: true }).waitFor()
    assert.equal(asked.length, 1)
    assert.equal(await page.getByText(t.states.rejected, { exact: true }).count(), 0)
  })
}
