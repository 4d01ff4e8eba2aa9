/** The organization: its team, its keys, its audit log, and the frame around the pages. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keeper } from '#test/support/keeper.ts'
import { memberWith, PASSWORD, someEmail } from '#test/support/portal/browser.ts'
import { mailsTo } from '#test/support/portal/members.ts'
import { type Opened, openConsole } from './stage.ts'
import {
  assertWell,
  dialogOf,
  filterOf,
  goTo,
  hasFocus,
  PHONE,
  press,
  regionOf,
  submit,
  tabTo,
  titled,
  WAYS,
} from './ways.ts'
import { arabic, english } from './words.ts'

const keep = keeper()
const stage = keep(await openConsole())
const { world, home } = stage

async function openAs(email: string | undefined, options: object, path: string): Promise<Opened> {
  if (email !== undefined) return stage.open(email, path, options)
  const opened = await stage.openPage(options)
  await opened.page.goto(`${home}${path}`)
  return opened
}

async function ownerOf(tenant_id: string): Promise<string> {
  const { email } = await memberWith(world, 'owner', tenant_id)
  return email
}

for (const { way, t, options } of WAYS) {
  const tenant = await world.otherTenant()
  const owner = await ownerOf(tenant.id)
  const permissions = ['clipboard-read', 'clipboard-write']
  const opened = await openAs(owner, { ...options, permissions }, '/team')
  const { page } = opened

  test(`a person is invited, joins, gets another role and is removed, ${way}`, async () => {
    await page.getByText(t.team.none_invited, { exact: true }).waitFor()
    await assertWell(opened)
    const email = someEmail()
    await press(page, t.team.invite)
    const dialog = dialogOf(page, t.team.invite)
    await dialog.getByLabel(t.account.email).fill(email)
    await dialog.getByLabel(t.team.role).selectOption('viewer')
    await dialog.getByText(t.team.may.viewer).waitFor()
    await assertWell(opened)
    await submit(dialog, t.team.invite)
    await page.getByRole('button', { name: `${t.team.withdraw}: ${email}` }).waitFor()

    const [mail] = await mailsTo(world, email)
    const [path] = /\/console\/invitation\?token=\S+/.exec(mail?.text ?? '') ?? []
    const joining = await openAs(undefined, options, String(path))
    await titled(joining.page, t.pages.invitation)
    await joining.page.getByLabel(t.account.password, { exact: true }).fill(PASSWORD)
    await assertWell(joining)
    await press(joining.page, t.mailed.join)
    await titled(joining.page, t.pages.home)

    await page.reload()
    await press(page, `${t.team.change_role}: ${email}`)
    const change = dialogOf(page, t.team.change_role)
    await change.getByLabel(t.team.role).selectOption('support')
    await submit(change, t.team.change_role)
    const members = page.getByRole('table', { name: t.team.members })
    const row = members.locator('tbody tr').filter({ hasText: email })
    await row.getByText(t.roles.support).waitFor()
    await joining.page.reload()
    await titled(joining.page, t.pages.sign_in)

    await press(page, `${t.team.remove}: ${email}`)
    const removal = dialogOf(page, t.team.remove)
    await assertWell(opened)
    await submit(removal, t.team.remove)
    await row.waitFor({ state: 'detached' })
    await press(page, `${t.team.remove}: ${owner}`)
    await removal.getByRole('button', { name: t.team.remove, exact: true }).click()
    await removal.getByText('The last owner can neither be removed nor').waitFor()
    await submit(removal, t.actions.cancel)
  })

  test(`a key is shown once, copied and revoked ${way}`, async () => {
    await goTo(page, '/api-keys', t.pages.api_keys)
    await press(page, t.api_keys.create)
    const dialog = dialogOf(page, t.api_keys.create)
    await dialog.getByLabel(t.fields.name, { exact: true }).fill('Ledger export')
    await assertWell(opened)
    await submit(dialog, t.api_keys.create)
    const shown = dialogOf(page, t.api_keys.made)
    const key = await shown.getByLabel(t.account.key, { exact: true }).inputValue()
    await shown.getByRole('button', { name: t.actions.copy }).click()
    await shown.getByText(t.actions.copied).waitFor()
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), key)
    await assertWell(opened)
    await submit(shown, t.actions.close)
    const use = () => world.request('GET', '/v1/users', undefined, { key })
    assert.equal((await use()).status, 200)
    const row = page.locator('tbody tr').filter({ hasText: 'Ledger export' })
    await row.waitFor()
    await assertWell(opened)
    assert.ok(!(await page.content()).includes(key))
    await press(page, t.api_keys.create)
    assert.equal(await dialog.getByLabel(t.fields.name, { exact: true }).inputValue(), '')
    await submit(dialog, t.actions.cancel)
    await press(page, `${t.api_keys.revoke}: Ledger export`)
    await submit(dialogOf(page, t.api_keys.revoke), t.api_keys.revoke)
    await row.waitFor({ state: 'detached' })
    assert.equal((await use()).status, 401)
  })

  test(`the audit log is filtered, and a record is opened, ${way}`, async () => {
    const person = { first_name: 'Noura', last_name: 'Haddad' }
    const sent = { key: tenant.api_key }
    const { body } = await world.request('POST', '/v1/users', person, sent)
    await world.request('PUT', `/v1/users/${body.id}`, { first_name: 'Nora' }, sent)
    await goTo(page, '/audit-log', t.pages.audit_log)
    const rows = page.locator('tbody tr')
    await rows.filter({ hasText: 'updateUser' }).waitFor()
    await assertWell(opened)
    const field = await filterOf(page, t, t.audit.filters.operation)
    await field.fill('createUser')
    await field.press('Enter')
    await rows.filter({ hasText: 'updateUser' }).waitFor({ state: 'detached' })
    await rows.filter({ hasText: 'createUser' }).waitFor()
    assert.equal(await rows.count(), 1)
    assert.match(page.url(), /operation=createUser$/)
    assert.ok(await hasFocus(field))
    await press(page, t.audit.open)
    const dialog = dialogOf(page, t.audit.record)
    await dialog.getByText(body.id).waitFor()
    await assertWell(opened)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    const verification = regionOf(page, t.audit.verification)
    await verification.getByText('bezant audit verify').waitFor()
  })

  test(`the drawer lists the calls of the page ${way}`, async () => {
    await goTo(page, '/users', t.pages.users)
    await press(page, t.api.button)
    const drawer = dialogOf(page, t.api.title)
    const calls = drawer.getByRole('group')
    await calls.filter({ hasText: `curl '${home}/v1/users'` }).waitFor()
    assert.match(String(await calls.first().textContent()), /\$BEZANT_API_KEY/)
    await assertWell(opened)
    await submit(drawer, t.api.close)
  })

  test(`language and appearance stay after a reload, until the sign-out ${way}`, async () => {
    const other = t === english ? arabic : english
    const html = page.locator('html')
    await press(page, t.shell.more)
    await page.getByRole('menuitemradio', { name: t.shell.dark }).waitFor()
    await assertWell(opened)
    await page.getByRole('menuitemradio', { name: t.shell.dark }).click()
    await press(page, t.shell.more)
    const language = t === english ? 'العربية' : 'English'
    await page.getByRole('menuitemradio', { name: language }).click()
    await titled(page, other.pages.users)
    await page.reload()
    await titled(page, other.pages.users)
    assert.equal(await html.getAttribute('data-mantine-color-scheme'), 'dark')
    await assertWell(opened)
    await press(page, other.shell.more)
    await page.getByRole('menuitem', { name: other.shell.sign_out }).click()
    await titled(page, other.pages.sign_in)
    await page.goto(`${home}/console/audit-log`)
    await titled(page, other.pages.sign_in)
  })
}

test('the first link of a page skips to its content, and the menu of a phone closes', async () => {
  const t = english
  const opened = await openAs(await ownerOf(world.tenant.id), { viewport: PHONE }, '/team')
  const { page } = opened
  await titled(page, t.pages.team)
  await page.getByRole('link', { name: t.shell.skip }).focus()
  await page.keyboard.press('Enter')
  await page.waitForFunction(`document.activeElement.id === 'content'`)
  await tabTo(page, page.getByRole('button', { name: t.team.invite, exact: true }))
  const entry = page.getByRole('link', { name: t.pages.api_keys, exact: true })
  assert.equal(await entry.isVisible(), false)
  await press(page, t.shell.open_menu)
  await entry.waitFor()
  await assertWell(opened)
  await entry.click()
  await titled(page, t.pages.api_keys)
  await entry.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: t.shell.open_menu }).focus()
  const first = page.locator('nav a').first()
  for (let presses = 0; presses < 8; presses++) {
    await page.keyboard.press('Tab')
    assert.equal(await hasFocus(first), false)
  }
})
