/** The console on access: factors that change, and keys of leavers. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keeper } from '#test/support/keeper.ts'
import { giveSecondFactor, memberWith } from '#test/support/portal/browser.ts'
import { mailedToken } from '#test/support/portal/members.ts'
import { openConsole } from './stage.ts'
import { assertWell, dialogOf, fill, press, pressIn, rowsOf, submit, titled, WAYS } from './ways.ts'

const keep = keeper()
const stage = keep(await openConsole())
const { world, home } = stage

for (const { way, t, options } of WAYS) {
  const tenant = await world.otherTenant()
  const { email: owner } = await memberWith(world, 'owner', tenant.id)
  const opened = await stage.open(owner, '/team', options)
  const { page } = opened

  /** A developer of the tenant who has made a key. */
  async function developer(name: string) {
    const member = await memberWith(world, 'developer', tenant.id)
    const body = { name, permissions: ['read', 'write'] }
    const made = await member.browser.ask('POST', '/portal/v1/keys', body)
    assert.equal(made.status, 201, made.text)
    const use = async () => {
      const options = { key: String(made.body.api_key) }
      return (await world.request('GET', '/v1/cards', undefined, options)).status
    }
    return { ...member, use }
  }
  const open = async (action: string, email: string) => {
    await page.goto(`${home}/console/team`)
    await press(page, `${action}: ${email}`)
    return dialogOf(page, action)
  }

  test(`a wrong password adds no factor ${way}`, async () => {
    await page.goto(`${home}/console/account`)
    await press(page, t.me.set_up_totp)
    const dialog = dialogOf(page, t.me.set_up_totp)
    const password = dialog.getByLabel(t.account.password, { exact: true })
    await pressIn(dialog, t.actions.continue)
    await password.and(dialog.locator(':invalid')).waitFor()
    await password.fill('seven loud harbours')
    await pressIn(dialog, t.actions.continue)
    await dialog.getByText(t.states.rejected).waitFor()
    await assertWell(opened)
    assert.equal(await dialog.getByRole('img', { name: t.me.picture }).count(), 0)
    await submit(dialog, t.actions.cancel)
  })

  test(`the page of a reset names the factors, and removes them where that is chosen, ${way}`, async () => {
    const member = await memberWith(world, 'viewer', tenant.id)
    await giveSecondFactor(world, member.id)
    const resetting = await stage.openPage(options)
    keep({ close: () => resetting.context.close() })
    const { email } = member
    const { status, text } = await member.browser.ask('POST', '/portal/v1/passwords:reset', {
      email,
    })
    assert.equal(status, 202, text)
    const token = await mailedToken(world, member.email)
    await resetting.page.goto(`${home}/console/reset?token=${token}`)
    await titled(resetting.page, t.pages.reset)
    const factors = { totp: t.mailed.has_totp, passkeys: 0 }
    await resetting.page.getByText(fill(t.mailed.factors_text, factors)).waitFor()
    const box = resetting.page.getByLabel(t.mailed.remove_factors)
    assert.equal(await box.isChecked(), false)
    await box.check()
    await assertWell(resetting)
    await resetting.page.getByLabel(t.account.password, { exact: true }).fill('nine quiet harbours')
    await press(resetting.page, t.mailed.replace)
    await resetting.page.getByText(t.mailed.replaced).waitFor()
    const body = { email: member.email, password: 'nine quiet harbours' }
    const signedIn = await member.browser.ask('POST', '/portal/v1/sessions', body)
    assert.equal(signedIn.status, 201, signedIn.text)
  })

  test(`an owner resets the factors of a member ${way}`, async () => {
    const member = await memberWith(world, 'viewer', tenant.id)
    await giveSecondFactor(world, member.id)
    const dialog = await open(t.team.reset_factors, member.email)
    await dialog.getByText(fill(t.team.reset_factors_text, { email: member.email })).waitFor()
    await assertWell(opened)
    await submit(dialog, t.team.reset_factors)
    const row = rowsOf(page, t.team.members).filter({ hasText: member.email })
    await row.getByText(t.team.not_set_up).waitFor()
    const name = `${t.team.reset_factors}: ${member.email}`
    await page.getByRole('button', { name, exact: true }).waitFor({ state: 'detached' })
  })

  test(`who made a key is beside it, and removing the member revokes it, ${way}`, async () => {
    const member = await developer('Ledger export')
    await page.goto(`${home}/console/api-keys`)
    const key = page.locator('tbody tr').filter({ hasText: 'Ledger export' })
    await key.getByText(member.email).waitFor()
    const dialog = await open(t.team.remove, member.email)
    await dialog.getByText('Ledger export').waitFor()
    assert.ok(await dialog.getByLabel(t.team.revoke_keys).isChecked())
    await assertWell(opened)
    await submit(dialog, t.team.remove)
    assert.equal(await member.use(), 401)
  })

  test(`a lesser role names the keys that can do more, which may be kept, ${way}`, async () => {
    const member = await developer('Night batch')
    const dialog = await open(t.team.change_role, member.email)
    await dialog.getByLabel(t.team.role).selectOption('viewer')
    await dialog.getByText('Night batch').waitFor()
    await dialog.getByText('read, write').waitFor()
    await dialog.getByText(t.team.revoke_keys_role).waitFor()
    const box = dialog.getByLabel(t.team.revoke_keys)
    assert.ok(await box.isChecked())
    await box.uncheck()
    await submit(dialog, t.team.change_role)
    const row = rowsOf(page, t.team.members).filter({ hasText: member.email })
    await row.getByText(t.roles.viewer, { exact: true }).waitFor()
    assert.equal(await member.use(), 200)
  })

  test(`the settings show how much of its quotas an organization uses ${way}`, async () => {
    await page.goto(`${home}/console/settings`)
    const usage = await world.request('GET', '/v1/tenantsettings/usage', undefined, {
      key: tenant.api_key,
    })
    const used = fill(t.settings.used, { used: usage.body.api_keys })
    await page.getByText(used, { exact: true }).waitFor()
    await page.getByText(fill(t.settings.used, { used: 0 }), { exact: true }).waitFor()
    await assertWell(opened)
  })
}
