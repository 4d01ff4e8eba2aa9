/** Content of pages in states that are rare: long names, a denied storage, and a release meanwhile. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { asker, createBelongings } from '#test/support/contract/belongings.ts'
import { keeper } from '#test/support/keeper.ts'
import { memberWith } from '#test/support/portal/browser.ts'
import { until } from '#test/support/services/receiver.ts'
import { coveringCellsOf, IS_LOADED, openConsole, overflowOf } from './stage.ts'
import { assertWell, dialogOf, fill, PHONE, press, submit, titled, WAYS, WIDE } from './ways.ts'
import { english as t } from './words.ts'

const keep = keeper()
const stage = keep(await openConsole())
const { world, home } = stage
const LONG = 'Bartholomew'.repeat(10).slice(0, 100)

test('a name of 100 letters breaks no list, object or card at any size', async () => {
  const { tenant, ids } = await createBelongings(world)
  const ask = asker(world, tenant.api_key)
  const { email } = await memberWith(world, 'owner', tenant.id)
  const user = await ask('POST', '/v1/users', { first_name: LONG, last_name: LONG })
  await ask('PUT', `/v1/cardproducts/${ids.card_product}`, { name: LONG })
  await ask('PUT', `/v1/allowedcountries/${ids.country_list}`, { name: LONG })
  const paths = ['/users', `/users/${user.id}`, '/card-products', '/cards', `/cards/${ids.card}`]
  const more = [`/card-products/${ids.card_product}`, '/controls?kind=countries']
  const opened = await stage.open(email, '/users', { viewport: WIDE, locale: 'en' })
  const { page, context } = opened
  for (const viewport of [WIDE, { width: 1024, height: 768 }, PHONE, { width: 320, height: 640 }]) {
    await page.setViewportSize(viewport)
    for (const path of [...paths, ...more]) {
      await page.goto(`${home}/console${path}`)
      await page.getByText(LONG.slice(0, 40)).first().or(page.locator('h1')).first().waitFor()
      if (viewport === WIDE) await assertWell(opened)
      await page.waitForFunction(IS_LOADED)
      assert.ok((await overflowOf(page)) <= 0, `${path} ${viewport.width}`)
      assert.deepEqual(await coveringCellsOf(page), [], `${path} ${viewport.width}`)
    }
  }
  await context.close()
})

for (const { way, t: words, options } of WAYS) {
  test(`First steps stay done after the page was left and loaded anew ${way}`, async () => {
    const opened = await stage.openPage(options)
    const { page, context } = opened
    await stage.signUp(page, words)
    await page.getByRole('link', { name: words.actions.continue }).click()
    await press(page, `${words.actions.run} ${words.steps.user.title}`)
    const shown = () =>
      page
        .getByRole('status')
        .getByText(fill(words.steps.progress, { done: 1, all: 5 }), { exact: true })
        .waitFor()
    await shown()
    await page.reload()
    await shown()
    await page.goto(`${home}/console/home`)
    await page.goto(`${home}/console/first-steps`)
    await shown()
    await press(page, words.steps.again)
    await press(page, `${words.actions.run} ${words.steps.user.title}`)
    await shown()
    await context.close()
  })

  test(`the amounts of a check are money ${way}`, async () => {
    const opened = await stage.openPage(options)
    const { page, context } = opened
    await stage.signUp(page, words)
    await page.goto(`${home}/console/first-steps`)
    for (const step of ['user', 'card', 'load', 'purchase', 'decision'] as const) {
      await press(page, `${words.actions.run} ${words.steps[step].title}`)
      await page
        .getByRole('listitem')
        .filter({ hasText: words.steps[step].title })
        .first()
        .getByText(words.steps.changed, { exact: true })
        .waitFor()
    }
    await press(page, words.simulator.all_checks)
    await page.getByText('available AED 500.00').first().waitFor()
    await page.getByText('AED 120.50', { exact: true }).first().waitFor()
    await assertWell(opened)
    await context.close()
  })

  test(`a file of CSV begins with a byte-order mark once its setting says so ${way}`, async () => {
    const tenant = await world.otherTenant()
    const { email } = await memberWith(world, 'owner', tenant.id)
    const opened = await stage.open(email, '/users', options)
    const { page, context } = opened
    const first = async () => {
      const downloaded = page.waitForEvent('download')
      await press(page, words.downloads.export)
      return readFileSync(await (await downloaded).path(), 'utf8').codePointAt(0)
    }
    await titled(page, words.pages.users)
    assert.equal(await first(), 'i'.codePointAt(0))
    await press(page, words.downloads.downloads)
    await page.getByRole('menuitemcheckbox', { name: words.downloads.mark }).click()
    assert.equal(await first(), 0xfeff)
    await page.reload()
    await titled(page, words.pages.users)
    assert.equal(await first(), 0xfeff)
    await assertWell(opened)
    await context.close()
  })

  test(`a page is no blank one where the browser denies storage ${way}`, async () => {
    const { email } = await memberWith(world, 'owner', world.tenant.id)
    const opened = await stage.openPage(options)
    const { page, context } = opened
    await page.addInitScript(`for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, { get() { throw new DOMException('denied', 'SecurityError') } })`)
    await stage.signIn(opened, email, '/users')
    await titled(page, words.pages.users)
    await page.goto(`${home}/console/first-steps`)
    await titled(page, words.pages.first_steps)
    await assertWell(opened)
    await context.close()
  })
}

test('the receiver copies the bytes that were signed', async () => {
  world.sweeper.start()
  const tenant = await world.otherTenant({ allow_private_endpoints: true })
  const { email } = await memberWith(world, 'owner', tenant.id)
  const permissions = ['clipboard-read', 'clipboard-write']
  const opened = await stage.open(email, '/webhooks', { viewport: WIDE, permissions })
  const { page, context } = opened
  await press(page, t.receiver.try)
  await submit(dialogOf(page, t.receiver.try), t.receiver.try_submit)
  await titled(page, t.receiver.title)
  await press(page, t.receiver.test_event)
  await submit(dialogOf(page, t.receiver.test_event), t.receiver.test_event)
  const ask = asker(world, tenant.api_key)
  const [receiver] = (await ask('GET', '/v1/simulate/webhookreceivers')).data
  const path = `/v1/simulate/webhookreceivers/${receiver.id}/requests`
  const body = await until('the event arrives', async () => (await ask('GET', path)).data[0]?.body)
  const newest = page.getByRole('list', { name: t.receiver.requests, exact: true })
  await newest.getByRole('button', { name: t.actions.copy }).first().click()
  await newest.getByText(t.actions.copied).first().waitFor({ state: 'attached' })
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), body)
  await context.close()
})

/** A release takes the files of the one before away, until the page is loaded anew. */
async function release(page: Page): Promise<void> {
  const gone = /\/console\/assets\/.*\.js$/
  await page.route(gone, (route) => route.fulfill({ status: 404, body: '' }))
  await page.route(/\/console\/[^.]*$/, async (route) => {
    if (route.request().isNavigationRequest()) await page.unroute(gone)
    await route.continue()
  })
}

test('an old tab opens its pages after a release', async () => {
  const { email } = await memberWith(world, 'owner', world.tenant.id)
  const opened = await stage.open(email, '/users', { viewport: WIDE })
  const { page, context } = opened
  await titled(page, t.pages.users)
  await release(page)
  await page.locator('nav a[href="/console/settings"]').click()
  await titled(page, t.pages.settings)
  assert.deepEqual(opened.faults, [])
  await context.close()
})

test('an old tab keeps what was typed when the session ends after a release', async () => {
  const { email, browser } = await memberWith(world, 'owner', world.tenant.id)
  const opened = await stage.open(email, '/api-keys', { viewport: WIDE })
  const { page, context } = opened
  await titled(page, t.pages.api_keys)
  await page.waitForFunction(
    `performance.getEntriesByType('resource').some(({ name }) => name.includes('sign_in_again'))`,
  )
  await release(page)
  await press(page, t.api_keys.create)
  const dialog = page.getByRole('dialog', { name: t.api_keys.create })
  const field = dialog.getByLabel(t.fields.name, { exact: true })
  await field.fill('Reports')
  const { body } = await browser.ask('GET', '/portal/v1/sessions')
  for (const { id, current } of body.data) {
    if (!current) await browser.ask('DELETE', `/portal/v1/sessions/${id}`)
  }
  await dialog.getByRole('button', { name: t.api_keys.create }).last().click()
  await page.getByRole('dialog', { name: t.session.ended }).waitFor()
  assert.equal(await field.inputValue(), 'Reports')
  await context.close()
})
