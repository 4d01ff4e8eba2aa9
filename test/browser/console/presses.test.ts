/**
 * Every change that the console makes: two presses are one call, a lost answer keeps its key, and a
 * PUT demands the version that was seen.
 */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page, Route } from 'playwright-core'
import { createBelongings } from '#test/support/contract/belongings.ts'
import { keeper } from '#test/support/keeper.ts'
import { listenForCards } from '#test/support/network/purchases.ts'
import { memberWith } from '#test/support/portal/browser.ts'
import { until } from '#test/support/services/receiver.ts'
import { IS_LOADED, openConsole } from './stage.ts'
import { WIDE } from './ways.ts'
import { english as t } from './words.ts'

const keep = keeper()
const stage = keep(await openConsole())
const { world, home } = stage
keep(await listenForCards(world, Number(new URL(home).port)))
const { tenant, ids } = await createBelongings(world, { orders: true })
const owner = await memberWith(world, 'owner', tenant.id)
const operator = await memberWith(world, 'operator_owner', null)

const PAGES = [
  ...['first-steps', 'users', `users/${ids.user}`, `users/${ids.hopeful}`],
  ...[`users/${ids.applicant}`, `users/${ids.business}`, `users/${ids.unverified}`],
  ...['cards', `cards/${ids.card}`, `cards/${ids.plastic}`, `cards/${ids.unlinked_card}`],
  ...[`cards/${ids.ordered_plastic}`, `cards/${ids.shipped_plastic}`, 'accounts'],
  ...[`accounts/${ids.account}`, 'card-products', `card-products/${ids.card_product}`],
  ...['bulk-issuance', `bulk-issuance/${ids.bulk_issuance}`, 'controls'],
  ...['controls?kind=balance', 'controls?kind=countries', 'controls?kind=mccs'],
  ...['controls?kind=merchants', `controls/velocity/${ids.velocity_limit}`],
  ...[`controls/balance/${ids.balance_limit}`, `controls/countries/${ids.country_list}`],
  ...[`controls/mccs/${ids.mcc_list}`, `controls/merchants/${ids.merchant_list}`],
  ...['controls/backtests', `controls/backtests/${ids.backtest}`, 'simulator'],
  ...['simulator/clock', 'orders', `orders/${ids.order}`, `orders/${ids.captured_order}`],
  ...[`transactions/${ids.settled}`, `transactions/${ids.transaction}`, `disputes/${ids.dispute}`],
  ...[`disputes/${ids.submitted_dispute}`, `disputes/${ids.represented_dispute}`],
  ...['kept-cards', 'endpoints', `endpoints/${ids.endpoint}`, 'webhooks'],
  ...[`payouts/disputes/${ids.chargeback}`],
  ...[`endpoints/${ids.endpoint}/deliveries/${ids.endpoint_delivery}`],
  ...[`webhooks/${ids.webhook}`, `webhooks/receivers/${ids.receiver}`],
  ...[`deliveries/${ids.delivery}`, 'settings', 'api-keys', 'team', 'account'],
]
const PAGES_OF_OPERATOR = [
  ...['tenants', `tenants/${ids.tenant}`, 'merchants', `merchants/${ids.merchant}`, 'rates'],
  ...[`tenants/${ids.tenant}/card-products/${ids.card_product}`, 'team'],
  ...[`reviews/${ids.tenant}/${ids.business}`, `reviews/${ids.tenant}/${ids.applicant}`],
  ...['merchant-payouts'],
]

/** A change as it left the page; it gets no answer. */
type Held = {
  method: string
  path: string
  key: string
  body: string
  /** The version that it demands. */
  match: string | undefined
  lose: () => Promise<void>
}

/** The changes of a page, and the one that is next. */
type Changes = { held: Held[]; at: (place: number) => Promise<Held> }

/** Keeps every change from the server; checks and searches pass. */
async function holdChanges(page: Page): Promise<Changes> {
  const held: Held[] = []
  await page.route(/\/(v1|api\/v1\.0|portal\/v1)\//, async (route) => {
    const request = route.request()
    const body = request.postData() ?? ''
    const { pathname: path } = new URL(request.url())
    const isRead = request.method() === 'GET' || path.endsWith(':search')
    if (isRead || body.includes('"dry_run":true')) return route.continue()
    const headers = request.headers()
    // The parts of a form are divided by chance.
    const isForm = headers['content-type']?.startsWith('multipart/') ?? false
    const key = headers['x-bezant-idempotency-key'] ?? headers['idempotency-key'] ?? ''
    held.push({
      method: request.method(),
      path,
      key,
      body: isForm ? '' : body,
      match: headers['if-match'],
      lose: () => lose(route),
    })
  })
  const at = (place: number) => until('a press makes a call', () => held[place])
  return { held, at }
}

const lose = (route: Route): Promise<void> => route.abort('connectionreset')

type Pressed = { click: () => void }

const click = (element: Pressed): void => element.click()

/** Both in one task of the page: nothing is drawn in between. */
const pressTwice = (button: Locator): Promise<void> =>
  button.evaluate((element: Pressed) => {
    element.click()
    element.click()
  })

/** Something in each field that has to have it, so that whatever a form sends is sent. */
const fillAll = (page: Page): Promise<void> =>
  page.evaluate(`{
    const form = document.querySelector('[role=dialog] form')
    form.noValidate = true
    for (const field of form.querySelectorAll('input, textarea')) {
      if (!field.required || field.value !== '' || field.role === 'combobox') continue
      if (!/text|email|password|search|number|tel|url/.test(field.type)) continue
      const { set } = Object.getOwnPropertyDescriptor(field.constructor.prototype, 'value')
      const isRecipient = field.labels[0]?.textContent === ${JSON.stringify(t.accounts.recipient)}
      set.call(field, isRecipient ? '${ids.other_account}' : '1')
      field.dispatchEvent(new Event('input', { bubbles: true }))
    }
  }`)

/** Changes the first field that can be, of a form that sends nothing else. */
const changeOne = (page: Page): Promise<boolean> =>
  page.evaluate(`(async () => {
    const form = document.querySelector('[role=dialog] form')
    const submit = form.querySelector('[type=submit]')
    const isOff = submit.disabled
    for (const field of form.querySelectorAll('input, textarea, select')) {
      if (!submit.disabled) break
      if (field.type === 'checkbox') field.click()
      else if (field.type !== 'file' && field.type !== 'radio') {
        const { set } = Object.getOwnPropertyDescriptor(field.constructor.prototype, 'value')
        const other = [...(field.options ?? [])].find((option) => option.value !== field.value)
        set.call(field, field.options ? (other ?? field).value : field.value + '1')
        field.dispatchEvent(new Event(field.options ? 'change' : 'input', { bubbles: true }))
      }
      await new Promise(requestAnimationFrame)
    }
    return isOff
  })()`)

/** The members of a body that are no objects themselves. */
const leavesOf = (value: unknown): number =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.values(value).reduce((sum: number, member) => sum + leavesOf(member), 0)
    : 1

/** PUTs of what has no version that the console could have read (D-947). */
const WITHOUT_VERSION = /\/(members\/|rates$|clock$|files$|keys$|keyblockprotectionkey$)/

/** Each way out of a dialog, also where it is one that cannot be pressed. */
async function tryToLeave(page: Page, dialog: Locator): Promise<void> {
  await page.keyboard.press('Escape')
  await page.locator('.mantine-Modal-inner').last().dispatchEvent('click')
  for (const name of [t.actions.close, t.actions.cancel, t.rehearse.back]) {
    const ways = await dialog.getByRole('button', { name, exact: true }).all()
    for (const way of ways) await way.evaluate(click)
  }
}

type Press = {
  page: Page
  button: Locator
  changes: Changes
  dialog?: Locator
  /** Whether it is a form of which one field was changed. */
  isEdit?: boolean
}

/** Presses twice, loses the answer, and does so once more: one call each, under one key. */
async function assertPressed({
  page,
  button,
  changes,
  dialog,
  isEdit = false,
}: Press): Promise<void> {
  const from = changes.held.length
  const calls: Held[] = []
  while (calls.length < 2) {
    await pressTwice(button)
    const call = await changes.at(from + calls.length)
    calls.push(call)
    if (dialog) await tryToLeave(page, dialog)
    await call.lose()
    await (dialog ?? page).getByText(t.states.no_answer, { exact: true }).first().waitFor()
    await button.and(page.locator(':not([data-loading])')).waitFor()
  }
  const [first, second] = calls.map(({ lose: _lose, ...call }) => call)
  assert.deepEqual(second, first)
  const name = `${first?.method} ${first?.path}`
  assert.ok(first?.method !== 'POST' || first.key !== '', `${name} has no key`)
  assert.equal(changes.held.length - from, 2, name)
  const isDemanded = first?.method === 'PUT' && !WITHOUT_VERSION.test(first.path)
  if (isDemanded) assert.match(String(first?.match), /^"[\w-]{22}"$/, name)
  if (isEdit) assert.equal(leavesOf(JSON.parse(first?.body ?? '')), 1, `${name} ${first?.body}`)
}

const ACTIONS = '[data-action=dialog], [data-action=rehearsal], [data-action=call]'

/** The pages of two cards offer the same, where both offer it. */
const kindOf = (path: string): string => path.replace(/\/[^/]*$/, '/')
const done = new Set<string>()

/** Presses what a page offers and no page of its kind has offered, one after the other. */
async function pressAll(page: Page, changes: Changes, of: string): Promise<void> {
  const actions = page.locator('main').locator(ACTIONS)
  for (let at = 0; at < (await actions.count()); at++) {
    const action = actions.nth(at)
    const kind = await action.getAttribute('data-action')
    const name = `${of} ${kind} ${await action.textContent()}`
    if (done.has(name) || name.endsWith(t.accounts.statement) || (await action.isDisabled()))
      continue
    // Switches have no text: one of them stands for all.
    done.add(name)
    await pressOne(page, changes, action, kind)
  }
}

async function pressOne(page: Page, changes: Changes, action: Locator, kind: string | null) {
  if (kind === 'call') return assertPressed({ page, button: action, changes })
  await action.evaluate(click)
  const dialog = page.getByRole('dialog').filter({ has: page.locator('form') })
  const button = dialog.locator('[type=submit]')
  await button.waitFor()
  await fillAll(page)
  const isEdit = await changeOne(page)
  if (kind === 'rehearsal') {
    await pressTwice(button)
    await dialog.getByRole('region', { name: t.rehearse.title }).waitFor()
  }
  await assertPressed({ page, button, changes, dialog, isEdit })
  await dialog.getByRole('button', { name: t.actions.close, exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
}

for (const [member, pages] of [[owner, PAGES] as const, [operator, PAGES_OF_OPERATOR] as const]) {
  const { page } = await stage.open(member.email, '/account', { viewport: WIDE })
  const changes = await holdChanges(page)
  for (const path of pages) {
    test(`/${path}: two presses are one call, a lost one keeps its key, and a PUT demands its version`, async () => {
      await page.goto(`${home}/console/${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
      await page.waitForFunction(IS_LOADED)
      await pressAll(page, changes, kindOf(path))
    })
  }
}
