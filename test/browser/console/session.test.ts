/** Pages whose session changes: no entered value is lost, and nothing is mixed. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { keeper } from '#test/support/keeper.ts'
import { memberWith, PASSWORD } from '#test/support/portal/browser.ts'
import { until } from '#test/support/services/receiver.ts'
import { type Opened, openConsole } from './stage.ts'
import {
  assertWell,
  dialogOf,
  focused,
  press,
  pressIn,
  rowsOf,
  shape,
  submit,
  titled,
  WAYS,
  WIDE,
} from './ways.ts'
import { english, type Words } from './words.ts'

const keep = keeper()
const stage = keep(await openConsole())
const { world, home } = stage
const SESSION = '**/portal/v1/session'

type Member = Awaited<ReturnType<typeof memberWith>> & { tenant_id: string; key: string }

/** The owner of an organization of their own. */
async function someOwner(): Promise<Member> {
  const tenant = await world.otherTenant()
  const member = await memberWith(world, 'owner', tenant.id)
  return { ...member, tenant_id: tenant.id, key: tenant.api_key }
}

async function open(email: string, path: string, options: object = { viewport: WIDE }) {
  const opened = await stage.open(email, path, options)
  keep({ close: () => opened.context.close() })
  return opened
}

/** Another tab of the same browser. */
async function openTab({ context }: Opened): Promise<Page> {
  return context.newPage()
}

/** Types a name into the dialog of a new API key, and does not send it. */
async function typeName(page: Page, t: Words, name: string) {
  await press(page, t.api_keys.create)
  const dialog = dialogOf(page, t.api_keys.create)
  const field = dialog.getByLabel(t.fields.name, { exact: true })
  await field.fill(name)
  return { dialog, field }
}

/** Ends the sessions of the member's pages, as an owner or the member does elsewhere. */
async function endSessions({ browser }: Member, { context }: Opened): Promise<void> {
  const { body } = await browser.ask('GET', '/portal/v1/sessions')
  for (const { id, current } of body.data) {
    if (!current) await browser.ask('DELETE', `/portal/v1/sessions/${id}`)
  }
  await gone({ context })
}

/** Waits until the session of the browser has ended in the process that its pages ask. */
const gone = ({ context }: Pick<Opened, 'context'>): Promise<unknown> =>
  until('the session has ended', async () => {
    const answer = await context.request.get(`${home}/portal/v1/session`)
    return answer.status() === 401
  })

/** The event that a browser sends to a page to which its reader comes back. */
const comeBack = (page: Page) =>
  page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`)

const endedIn = (page: Page, t: Words) => dialogOf(page, t.session.ended)

async function signInAgain(page: Page, t: Words, email?: string): Promise<void> {
  const dialog = endedIn(page, t)
  if (email !== undefined) await dialog.getByLabel(t.account.email).fill(email)
  await dialog.getByLabel(t.account.password, { exact: true }).fill(PASSWORD)
  await pressIn(dialog, t.account.sign_in)
}

async function signInBy(page: Page, t: Words, email: string): Promise<void> {
  await page.getByLabel(t.account.email).fill(email)
  await page.getByLabel(t.account.password, { exact: true }).fill(PASSWORD)
  await press(page, t.account.sign_in)
  await titled(page, t.pages.home)
}

const signOut = async (page: Page, t: Words): Promise<void> => {
  await press(page, t.shell.more)
  await page.getByRole('menuitem', { name: t.shell.sign_out }).click()
  await titled(page, t.pages.sign_in)
}

for (const { way, t, options } of WAYS) {
  test(`who signs out and signs up again arrives both times ${way}`, async () => {
    const opened = await stage.openPage(options)
    keep({ close: () => opened.context.close() })
    const { page } = opened
    await stage.signUp(page, t)
    await page.getByRole('link', { name: t.actions.continue }).click()
    await titled(page, t.pages.first_steps)
    await signOut(page, t)
    await page.getByRole('link', { name: t.pages.sign_up, exact: true }).click()
    // Both pages have a field of that name.
    await titled(page, t.pages.sign_up)
    await page.getByLabel(t.account.email).fill(`second-${crypto.randomUUID()}@bank.example`)
    await page.getByLabel(t.account.password, { exact: true }).fill(PASSWORD)
    await page.getByLabel(t.entrance.organization).fill('Reef Finance')
    await press(page, t.entrance.create)
    await page.getByRole('link', { name: t.actions.continue }).click()
    await titled(page, t.pages.first_steps)
    await page.getByText('Reef Finance', { exact: true }).first().waitFor()
  })

  test(`a session that cannot be read leaves the page and its typed text ${way}`, async () => {
    const { email } = await someOwner()
    const opened = await open(email, '/api-keys', options)
    const { page } = opened
    const { dialog, field } = await typeName(page, t, 'Ledger export')
    for (const fail of ['abort', 503] as const) {
      await page.route(SESSION, (route) =>
        fail === 'abort' ? route.abort() : route.fulfill({ status: fail, body: '{}' }),
      )
      await comeBack(page)
      const alert = page.getByRole('alert').filter({ hasText: t.session.unreachable })
      await alert.waitFor({ state: 'attached' })
      assert.equal(await field.inputValue(), 'Ledger export')
      await assertWell(opened)
      await page.unroute(SESSION)
      await comeBack(page)
      await alert.waitFor({ state: 'detached' })
    }
    await submit(dialog, t.api_keys.create)
    await dialogOf(page, t.api_keys.made).waitFor()
  })

  test(`a session that has ended is begun anew where the page stands ${way}`, async () => {
    const member = await someOwner()
    const opened = await open(member.email, '/api-keys', options)
    const { page } = opened
    const { dialog, field } = await typeName(page, t, 'Ledger export')
    await endSessions(member, opened)
    await pressIn(dialog, t.api_keys.create)
    const ended = endedIn(page, t)
    await ended.waitFor()
    const password = ended.getByLabel(t.account.password, { exact: true })
    await focused(password)
    await page.keyboard.press('Escape')
    await assertWell(opened)
    await password.fill('seven loud harbours')
    await pressIn(ended, t.account.sign_in)
    await ended.getByText(t.account.wrong).waitFor()
    await signInAgain(page, t)
    await ended.waitFor({ state: 'detached' })
    assert.equal(await field.inputValue(), 'Ledger export')
    await submit(dialog, t.api_keys.create)
    await dialogOf(page, t.api_keys.made).waitFor()
  })

  test(`another member who signs in on the page of an ended session gets their own ${way}`, async () => {
    const [first, second] = [await someOwner(), await someOwner()]
    const opened = await open(first.email, '/api-keys', options)
    const { page } = opened
    await typeName(page, t, 'Ledger export')
    await endSessions(first, opened)
    await comeBack(page)
    await endedIn(page, t).waitFor()
    await signInAgain(page, t, second.email)
    await titled(page, t.pages.home)
    await press(page, t.shell.more)
    await page.getByRole('menu').getByText(second.email).waitFor()
    assert.ok(!(await page.content()).includes('Ledger export'))
    assert.ok(!(await page.content()).includes(first.email))
  })

  test(`a page says that another member has signed in in another tab ${way}`, async () => {
    const [first, second] = [await someOwner(), await someOwner()]
    const opened = await open(first.email, '/api-keys', options)
    const { page } = opened
    await typeName(page, t, 'Ledger export')
    const tab = await openTab(opened)
    await tab.goto(`${home}/console/sign-in`)
    await signInBy(tab, t, second.email)
    await titled(page, t.session.other)
    await page.getByText(second.email, { exact: true }).waitFor()
    await assertWell(opened)
    assert.ok(!(await page.content()).includes('Ledger export'))
    await page.getByRole('link', { name: t.session.other_go_on, exact: true }).click()
    await titled(page, t.pages.home)
    await press(page, t.shell.more)
    await page.getByRole('menu').getByText(second.email).waitFor()
  })
}

const t = english

test('a press on the page of one member does nothing for another who has signed in', async () => {
  const [first, second] = [await someOwner(), await someOwner()]
  const opened = await open(first.email, '/api-keys')
  const { page, context } = opened
  const { dialog } = await typeName(page, t, 'Ledger export')
  // No page hears of it: the cookie is another one, as after the sign-in of another program.
  await context.clearCookies()
  const data = { email: second.email, password: PASSWORD }
  await context.request.post(`${home}/portal/v1/sessions`, { headers: { origin: home }, data })
  await pressIn(dialog, t.api_keys.create)
  await titled(page, t.session.other)
  const { body } = await second.browser.ask('GET', '/portal/v1/keys')
  const names = body.data.map(({ name }: { name: string }) => name)
  assert.ok(!names.includes('Ledger export'), names.join())
})

test('a sign-out in one tab is known in the other, and so is the sign-in after it', async () => {
  const { email } = await someOwner()
  const opened = await open(email, '/api-keys')
  const { page } = opened
  const { field } = await typeName(page, t, 'Ledger export')
  const tab = await openTab(opened)
  await tab.goto(`${home}/console/home`)
  await titled(tab, t.pages.home)
  await signOut(tab, t)
  await endedIn(page, t).waitFor()
  await signInBy(tab, t, email)
  await endedIn(page, t).waitFor({ state: 'detached' })
  assert.equal(await field.inputValue(), 'Ledger export')
})

test('a sign-out that the server does not answer leaves the member on the page', async () => {
  const { email } = await someOwner()
  const { page } = await open(email, '/api-keys')
  await titled(page, t.pages.api_keys)
  await page.route(SESSION, (route) => route.abort())
  await press(page, t.shell.more)
  await page.getByRole('menuitem', { name: t.shell.sign_out }).click()
  await page.getByText(t.session.unreachable).waitFor()
  await titled(page, t.pages.api_keys)
})

test('a member who gets another role signs in again to its menu', async () => {
  const tenant = await world.otherTenant()
  const owner = await memberWith(world, 'owner', tenant.id)
  const member = await memberWith(world, 'viewer', tenant.id)
  const { page, context } = await open(member.email, '/users')
  await titled(page, t.pages.users)
  const steps = page.locator('nav a[href="/console/first-steps"]')
  assert.equal(await steps.count(), 0)
  const changed = await owner.browser.ask('PUT', `/portal/v1/members/${member.id}`, {
    role: 'developer',
  })
  assert.equal(changed.status, 200, changed.text)
  const ended = endedIn(page, t)
  await gone({ context })
  await comeBack(page)
  await ended.waitFor()
  await signInAgain(page, t)
  await steps.waitFor({ state: 'attached' })
})

test('a removed member cannot sign in again on the page, and sees nothing of it', async () => {
  const tenant = await world.otherTenant()
  const owner = await memberWith(world, 'owner', tenant.id)
  const member = await memberWith(world, 'viewer', tenant.id)
  const { page, context } = await open(member.email, '/users')
  await titled(page, t.pages.users)
  const removed = await owner.browser.ask('DELETE', `/portal/v1/members/${member.id}`)
  assert.equal(removed.status, 200, removed.text)
  const ended = endedIn(page, t)
  await gone({ context })
  await comeBack(page)
  await ended.waitFor()
  await signInAgain(page, t)
  await ended.getByText(t.account.wrong).waitFor()
  await ended.getByRole('link', { name: t.session.leave }).click()
  await titled(page, t.pages.sign_in)
})

test('a fault of the page is not shown as one of the network', async () => {
  const { email } = await someOwner()
  const { page } = await open(email, '/home')
  await page.route('**/v1/events?*', (route) => route.fulfill({ status: 200, json: {} }))
  await page.locator('nav a[href="/console/events"]').dispatchEvent('click')
  await page.getByText(t.states.page_fault).waitFor()
  assert.equal(await page.getByText(t.states.offline).count(), 0)
})

test('an address that the portal does not take is explained in a sentence', async () => {
  const opened = await stage.openPage({ viewport: WIDE })
  keep({ close: () => opened.context.close() })
  const { page } = opened
  await stage.begin(page)
  await page.getByRole('link', { name: t.pages.sign_up, exact: true }).click()
  await titled(page, t.pages.sign_up)
  await page.getByLabel(t.account.email).fill('layla@palm')
  await page.getByLabel(t.account.password, { exact: true }).fill('short')
  await page.getByLabel(t.entrance.organization).fill('Palm Bank')
  await press(page, t.entrance.create)
  await page.getByText(t.account.email_wrong).waitFor()
  await assertWell(opened)
})

test('passkeys are offered at the printed address, and not at one of numbers', async () => {
  const opened = await stage.openPage({ viewport: WIDE })
  keep({ close: () => opened.context.close() })
  const { page } = opened
  await stage.begin(page)
  const button = page.getByRole('button', { name: t.links.passkey })
  await button.waitFor()
  await page.goto(`${home.replace('localhost', '127.0.0.1')}/console/sign-in`)
  await page.getByText(t.account.passkey_address).waitFor()
  assert.equal(await button.count(), 0)
  await page.getByRole('link', { name: shape(t.account.passkey_open) }).click()
  await button.waitFor()
})

test('lists of a page are read anew once its session is there again', async () => {
  const member = await someOwner()
  const opened = await open(member.email, '/users')
  const { page } = opened
  await titled(page, t.pages.users)
  await endSessions(member, opened)
  await comeBack(page)
  await endedIn(page, t).waitFor()
  const person = { first_name: 'Noura', last_name: 'Haddad' }
  await world.request('POST', '/v1/users', person, { key: member.key })
  await signInAgain(page, t)
  await rowsOf(page, t.pages.users).filter({ hasText: 'Noura' }).waitFor()
})
