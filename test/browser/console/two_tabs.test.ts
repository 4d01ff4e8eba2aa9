/** An object that two tabs, or two members, change at one time: no change of the other is lost. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { keeper } from '#test/support/keeper.ts'
import { memberWith } from '#test/support/portal/browser.ts'
import { makePayer } from './payer.ts'
import { openConsole } from './stage.ts'
import { assertWell, dialogOf, FAR, focused, headed, press, pressIn, submit, WAYS } from './ways.ts'
import { english, type Words } from './words.ts'

const keep = keeper()
const stage = keep(await openConsole())
const { world, home } = stage
const { tenant, email } = await makePayer(world)
const { email: other } = await memberWith(world, 'owner', tenant.id)
const key = { key: tenant.api_key }

/** A limit of 3,000 with the name Daily. */
async function createLimit() {
  const limit = {
    description: 'Daily',
    type: 'CUMULATIVE',
    mode: 'SHADOW',
    period: 'DAILY',
    currency: 'AED',
    max_amount: '3000',
    transaction_scope: ['ALL'],
  }
  const made = await world.request('POST', '/v1/velocitylimits', limit, key)
  const api = `/v1/velocitylimits/${made.body.id}`
  const change = (body: object) => world.request('PUT', api, body, key)
  const read = async () => {
    const { body } = await world.request('GET', api, undefined, key)
    return { description: body.description, max_amount: body.max_amount, mode: body.mode }
  }
  return { api, path: `/controls/velocity/${made.body.id}`, change, read }
}

/** Opens the form that changes a limit. */
async function openForm(page: Page, t: Words) {
  await press(page, t.controls.change)
  const dialog = dialogOf(page, t.controls.change)
  await dialog.getByLabel(t.controls.description).waitFor()
  const type = (text: string) => dialog.getByLabel(t.controls.description).fill(text)
  const typeMost = (amount: string) => dialog.getByLabel(t.controls.most).fill(amount)
  const meanwhile = dialog.getByRole('region', { name: t.edit.title, exact: true })
  return { dialog, type, typeMost, meanwhile }
}

type Sent = { path: string; body: unknown; match: string | undefined }

/** The bodies that the page sends by PUT from now on, with the version that each demands. */
async function changesOf(page: Page): Promise<Sent[]> {
  const sent: Sent[] = []
  await page.route('**/v1/**', async (route) => {
    const request = route.request()
    const { pathname: path } = new URL(request.url())
    if (request.method() === 'PUT') {
      const match = request.headers()['if-match']
      sent.push({ path, body: request.postDataJSON(), match })
    }
    await route.fallback()
  })
  return sent
}

for (const { way, t, options } of new Set([...WAYS, FAR])) {
  test(`a limit that one tab has changed stays where another tab saves a description, ${way}`, async () => {
    const { api, path, read } = await createLimit()
    const opened = await stage.open(email, path, options)
    const { page: first, context } = opened
    const second = await context.newPage()
    await second.goto(`${home}/console${path}`)
    await headed(second, 'Daily')
    const late = await openForm(second, t)
    await late.type('Weekdays')
    const early = await openForm(first, t)
    await early.typeMost('111')
    const sent = await changesOf(second)
    await submit(early.dialog, t.actions.save)
    await pressIn(late.dialog, t.actions.save)
    await focused(late.meanwhile)
    assert.deepEqual(await late.meanwhile.getByRole('definition').allTextContents(), [
      '3000',
      '111',
    ])
    assert.deepEqual(await read(), { description: 'Daily', max_amount: 111, mode: 'SHADOW' })
    await assertWell({ ...opened, page: second })
    await submit(late.dialog, t.edit.save_mine)
    assert.deepEqual(await read(), { description: 'Weekdays', max_amount: 111, mode: 'SHADOW' })
    const body = { description: 'Weekdays' }
    assert.deepEqual(
      sent.map((change) => [change.path, change.body]),
      [
        [api, body],
        [api, body],
      ],
    )
    assert.notEqual(sent[0]?.match, sent[1]?.match)
  })

  test(`what two members have written into one field is shown to the later one, ${way}`, async () => {
    const { path, read } = await createLimit()
    const [early, late] = [
      await stage.open(email, path, options),
      await stage.open(other, path, options),
    ]
    const form = await openForm(late.page, t)
    await form.typeMost('500')
    await form.type('Mine')
    const before = await openForm(early.page, t)
    await before.typeMost('111')
    await submit(before.dialog, t.actions.save)
    await pressIn(form.dialog, t.actions.save)
    await focused(form.meanwhile)
    const values = form.meanwhile.getByRole('definition')
    assert.deepEqual(await values.allTextContents(), ['3000', '111', '500'])
    await assertWell(late)
    await form.meanwhile.getByRole('button', { name: t.edit.take }).click()
    assert.equal(await form.dialog.getByLabel(t.controls.most).inputValue(), '111')
    await form.typeMost('600')
    await submit(form.dialog, t.edit.save_mine)
    assert.deepEqual(await read(), { description: 'Mine', max_amount: 600, mode: 'SHADOW' })
  })
}

const t = english
const WIDE_OPTIONS = { viewport: { width: 1440, height: 900 } }

test('changes that are discarded change nothing, and the form begins anew', async () => {
  const { path, change, read } = await createLimit()
  const { page } = await stage.open(email, path, WIDE_OPTIONS)
  await headed(page, 'Daily')
  const { dialog, typeMost, meanwhile } = await openForm(page, t)
  await typeMost('500')
  await change({ max_amount: '111' })
  await pressIn(dialog, t.actions.save)
  await meanwhile.waitFor()
  await submit(dialog, t.edit.discard)
  await page.getByText('AED 111.00').first().waitFor()
  await openForm(page, t)
  assert.equal(await dialog.getByLabel(t.controls.most).inputValue(), '111')
  assert.equal(await meanwhile.count(), 0)
  assert.equal((await read()).max_amount, 111)
})

test('a form of which nothing is changed says so, and sends nothing', async () => {
  const { path } = await createLimit()
  const { page } = await stage.open(email, path, WIDE_OPTIONS)
  const sent = await changesOf(page)
  const { dialog, type } = await openForm(page, t)
  const save = dialog.getByRole('button', { name: t.actions.save, exact: true })
  await dialog.getByText(t.edit.idle, { exact: true }).waitFor()
  assert.ok(await save.isDisabled())
  await dialog.getByLabel(t.controls.description).press('Enter')
  await type('Other')
  assert.ok(await save.isEnabled())
  await type('Daily')
  assert.ok(await save.isDisabled())
  assert.deepEqual(sent, [])
})

test('a change whose answer was lost is no change of another person', async () => {
  const { path, read } = await createLimit()
  const { page } = await stage.open(email, path, WIDE_OPTIONS)
  const { dialog, typeMost } = await openForm(page, t)
  await typeMost('111')
  let lost = 0
  await page.route('**/v1/velocitylimits/*', async (route) => {
    if (route.request().method() !== 'PUT' || lost++ > 0) return route.fallback()
    await route.fetch()
    await route.abort('connectionreset')
  })
  await pressIn(dialog, t.actions.save)
  await dialog.getByText(t.states.no_answer, { exact: true }).waitFor()
  assert.equal((await read()).max_amount, 111)
  await submit(dialog, t.actions.save)
  assert.equal((await read()).max_amount, 111)
})

test('a setting is saved where another one was changed meanwhile', async () => {
  const { page } = await stage.open(email, '/settings', WIDE_OPTIONS)
  const settings = async () =>
    (await world.request('GET', '/v1/tenantsettings', undefined, key)).body
  const label = t.settings.names.hold_days
  await press(page, `${t.settings.change}: ${label}`)
  const dialog = dialogOf(page, t.settings.change)
  await dialog.getByLabel(label).fill('9')
  await world.request('PUT', '/v1/tenantsettings', { clearing_hold_days: 3 }, key)
  const sent = await changesOf(page)
  await submit(dialog, t.actions.save)
  const { hold_days, clearing_hold_days } = await settings()
  assert.deepEqual({ hold_days, clearing_hold_days }, { hold_days: 9, clearing_hold_days: 3 })
  assert.equal(sent.length, 2)
})

test('a limit is not enforced with terms that the member has not seen', async () => {
  const { path, change, read } = await createLimit()
  const { page } = await stage.open(email, path, WIDE_OPTIONS)
  await headed(page, 'Daily')
  await change({ max_amount: '111' })
  await press(page, t.controls.enforce)
  const dialog = dialogOf(page, t.controls.enforce)
  await pressIn(dialog, t.controls.enforce)
  await dialog.getByText(t.states.outdated, { exact: true }).waitFor()
  assert.equal((await read()).mode, 'SHADOW')
  await page.getByText('AED 111.00').first().waitFor()
  await submit(dialog, t.controls.enforce)
  assert.deepEqual(await read(), { description: 'Daily', max_amount: 111, mode: 'ENFORCED' })
})
