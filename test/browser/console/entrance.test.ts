/**
 * The entrance to the console: accounts, passwords, second factors, passkeys, and the member's own
 * page.
 */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TERMS } from '#portal/mails/rules.ts'
import { keeper } from '#test/support/keeper.ts'
import { memberWith, PASSWORD, someEmail } from '#test/support/portal/browser.ts'
import { codeOf, mailsTo } from '#test/support/portal/members.ts'
import { type Opened, openConsole } from './stage.ts'
import {
  assertWell,
  dialogOf,
  fill,
  focused,
  PHONE,
  press,
  submit,
  tabTo,
  titled,
  WAYS,
} from './ways.ts'
import { english, type Words } from './words.ts'

const keep = keeper()
const stage = keep(await openConsole())
const { world, home } = stage
const NEW_PASSWORD = 'nine quiet harbours'

const someone = () => memberWith(world, 'owner', world.tenant.id)

async function open(options: object): Promise<Opened> {
  const opened = await stage.openPage(options)
  keep({ close: () => opened.context.close() })
  return opened
}

const passwordOf = ({ page }: Opened, t: Words) =>
  page.getByLabel(t.account.password, { exact: true })

async function signInBy(opened: Opened, t: Words, email: string, password = PASSWORD) {
  const { page } = opened
  await page.getByLabel(t.account.email).fill(email)
  await passwordOf(opened, t).fill(password)
  await press(page, t.account.sign_in)
}

for (const { way, t, options } of WAYS) {
  // Each story begins without a session.
  const opened = await open(options)
  const { page } = opened

  test(`Sign up refuses a known address, and takes another one, ${way}`, async () => {
    const { email } = await someone()
    await stage.begin(page)
    await page.getByRole('link', { name: t.pages.sign_up, exact: true }).click()
    await titled(page, t.pages.sign_up)
    await assertWell(opened)
    await page.getByLabel(t.account.email).fill(email)
    await passwordOf(opened, t).fill(PASSWORD)
    await page.getByLabel(t.entrance.organization).fill('Palm Bank')
    await press(page, t.entrance.create)
    await page.getByText(t.entrance.taken).waitFor()
    await assertWell(opened)
    await page.getByLabel(t.account.email).fill(someEmail())
    await press(page, t.entrance.create)
    await page.getByText(t.entrance.key_title).waitFor()
    await assertWell(opened)
    await page.getByRole('link', { name: t.actions.continue }).click()
    await titled(page, t.pages.first_steps)
  })

  test(`a member signs in by Tab and Enter alone, after a wrong password, ${way}`, async () => {
    const { email } = await someone()
    await stage.begin(page)
    await titled(page, t.pages.sign_in)
    await assertWell(opened)
    await tabTo(page, page.getByLabel(t.account.email))
    await page.keyboard.type(email)
    await tabTo(page, passwordOf(opened, t))
    await page.keyboard.type('seven loud harbours')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    assert.equal(await page.getByRole('alert').textContent(), t.account.wrong)
    await assertWell(opened)
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type(PASSWORD)
    await tabTo(page, page.getByRole('button', { name: t.account.sign_in, exact: true }))
    await page.keyboard.press('Enter')
    await titled(page, t.pages.home)
    await focused(page.getByRole('heading', { level: 1 }))
  })

  test(`a forgotten password is replaced by the link of a mail ${way}`, async () => {
    const { email } = await someone()
    await stage.begin(page)
    await page.getByRole('link', { name: t.links.forgot }).click()
    await titled(page, t.pages.forgot)
    await assertWell(opened)
    await page.getByLabel(t.account.email).fill(email)
    await press(page, t.mailed.send)
    await page.getByText(fill(t.mailed.forgot_sent, TERMS)).waitFor()
    const [mail] = await mailsTo(world, email)
    const [, path] = /(\/console\/reset\?token=\S+)/.exec(mail?.text ?? '') ?? []
    await page.goto(`${home}${path}`)
    await titled(page, t.pages.reset)
    await passwordOf(opened, t).fill('short')
    await press(page, t.mailed.replace)
    await page.locator('input[aria-invalid=true]').waitFor()
    await assertWell(opened)
    await passwordOf(opened, t).fill(NEW_PASSWORD)
    await press(page, t.mailed.replace)
    await page.getByText(t.mailed.replaced).waitFor()
    await page.getByRole('link', { name: t.pages.sign_in }).click()
    await signInBy(opened, t, email, NEW_PASSWORD)
    await titled(page, t.pages.home)
  })

  test(`a code of an authenticator, or a recovery code, is the second step ${way}`, async () => {
    const { email } = await someone()
    await stage.signIn(opened, email, '/account')
    await page.getByText(t.me.totp_off).waitFor()
    await assertWell(opened)
    await press(page, t.me.set_up_totp)
    const dialog = dialogOf(page, t.me.set_up_totp)
    await dialog.getByLabel(t.account.password, { exact: true }).fill(PASSWORD)
    await assertWell(opened)
    await dialog.getByRole('button', { name: t.actions.continue, exact: true }).click()
    await dialog.getByRole('img', { name: t.me.picture }).waitFor()
    const secret = await dialog.getByLabel(t.me.secret, { exact: true }).inputValue()
    await dialog.getByLabel(t.account.code, { exact: true }).fill('000000')
    await press(page, t.account.verify)
    await dialog.getByText(t.states.rejected).waitFor()
    await assertWell(opened)
    await dialog.getByLabel(t.account.code, { exact: true }).fill(await codeOf(world, secret))
    await submit(dialog, t.account.verify)
    const shown = dialogOf(page, t.me.recovery)
    await shown.getByRole('listitem').nth(9).waitFor()
    const codes = await shown.getByRole('listitem').allTextContents()
    assert.equal(codes.length, 10)
    await assertWell(opened)
    await submit(shown, t.me.stored)
    await page.getByText(fill(t.me.totp_on, { count: 10 })).waitFor()

    await stage.begin(page)
    await signInBy(opened, t, email)
    const code = page.getByLabel(t.account.code, { exact: true })
    await focused(code)
    await page.keyboard.type('000000')
    await page.keyboard.press('Enter')
    await page.getByText(t.account.code_wrong).waitFor()
    await assertWell(opened)
    await code.fill(await codeOf(world, secret, 1))
    await press(page, t.account.verify)
    await titled(page, t.pages.home)

    await stage.begin(page)
    await signInBy(opened, t, email)
    await code.fill(String(codes[0]))
    await press(page, t.account.verify)
    await titled(page, t.pages.home)
    await page.goto(`${home}/console/account`)
    await page.getByText(fill(t.me.totp_on, { count: 9 })).waitFor()
    await press(page, t.me.remove_totp)
    const removal = dialogOf(page, t.me.remove_totp)
    await removal.getByLabel(t.account.password, { exact: true }).fill(PASSWORD)
    await submit(removal, t.me.remove_totp)
    await page.getByText(t.me.totp_off).waitFor()
  })

  test(`a session is listed, and ended from another browser, ${way}`, async () => {
    const { email } = await someone()
    await stage.signIn(opened, email, '/account')
    const other = await open({})
    await stage.signIn(other, email, '/home')
    await titled(other.page, english.pages.home)
    await page.reload()
    const sessions = page.getByRole('table', { name: t.me.sessions }).locator('tbody tr')
    await sessions.filter({ hasText: t.me.current }).waitFor()
    // The third is the one that the member's own program has.
    assert.equal(await sessions.count(), 3)
    await sessions
      .filter({ hasText: 'Chrom' })
      .getByRole('button', { name: t.me.end })
      .first()
      .click()
    const dialog = dialogOf(page, t.me.end)
    await dialog.waitFor()
    await assertWell(opened)
    await submit(dialog, t.me.end)
    await page.waitForFunction(`document.querySelectorAll('tbody tr').length === 2`)
    await other.page.reload()
    await titled(other.page, english.pages.sign_in)
  })
}

test('a passkey of the device signs in without a password', async () => {
  const { email } = await someone()
  const opened = await open({ viewport: PHONE })
  const { page, context } = opened
  const t = english
  const device = await context.newCDPSession(page)
  await device.send('WebAuthn.enable')
  await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      automaticPresenceSimulation: true,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  })
  await stage.begin(page)
  await signInBy(opened, t, email)
  await titled(page, t.pages.home)
  await page.goto(`${home}/console/account`)
  await page.getByText(t.me.no_passkeys).waitFor()
  await press(page, t.me.add_passkey)
  const dialog = dialogOf(page, t.me.add_passkey)
  await dialog.getByLabel(t.fields.name).fill('work laptop')
  await dialog.getByLabel(t.account.password, { exact: true }).fill(PASSWORD)
  await submit(dialog, t.me.add_passkey)
  await page.getByRole('cell', { name: 'work laptop', exact: true }).waitFor()
  await press(page, t.shell.more)
  await page.getByRole('menuitem', { name: t.shell.sign_out }).click()
  await titled(page, t.pages.sign_in)
  await press(page, t.links.passkey)
  await titled(page, t.pages.home)
  await page.goto(`${home}/console/account`)
  await press(page, `${t.me.remove}: work laptop`)
  const removal = dialogOf(page, t.me.remove)
  await removal.getByLabel(t.account.password, { exact: true }).fill(PASSWORD)
  await submit(removal, t.me.remove)
  await page.getByText(t.me.no_passkeys).waitFor()
})
