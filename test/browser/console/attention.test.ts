/** The lines of Home that need attention: each appears when it should, and leads to its rows. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { createWaiting } from '#test/support/contract/belongings.ts'
import { keeper } from '#test/support/keeper.ts'
import { until } from '#test/support/services/receiver.ts'
import { makePayer } from './payer.ts'
import { openConsole } from './stage.ts'
import { assertWell, fill, headed, regionOf, titled, WAYS } from './ways.ts'

const keep = keeper()
const stage = keep(await openConsole())
const { world } = stage
world.sweeper.start()

/** No server listens there. */
const ENDPOINT = 'http://127.0.0.1:9/hook'
const SETTINGS = { webhook_retry_seconds: [60], allow_private_endpoints: true }
const DAY_MS = 86_400_000

for (const { way, t, options } of WAYS) {
  const words = t.program
  /** A member of another tenant, whose Home needs no attention yet. */
  async function openCalm(settings: object = {}) {
    const made = await makePayer(world, settings)
    // Home leads a tenant without a payment to First steps.
    const first = { card_id: made.card.card_id, currency: 'AED', amount: 1 }
    await made.issuer.call('POST', '/v1/simulate/authorizations', first)
    const opened = await stage.open(made.email, '/home', options)
    const attention = regionOf(opened.page, words.attention)
    const line = (text: string) => attention.getByRole('link', { name: text, exact: true })
    return { ...made, opened, page: opened.page, attention, line }
  }
  const seen = async (page: Page) => {
    await page.reload()
    await titled(page, t.pages.home)
  }

  test(`a webhook that fails is a line of Home, and leads to its page, ${way}`, async () => {
    const { issuer, opened, page, attention, line } = await openCalm(SETTINGS)
    await attention.getByText(words.calm, { exact: true }).waitFor()
    const hook = { endpoint: ENDPOINT, events: ['TRANSACTION'] }
    const { id } = (await issuer.call('POST', '/v1/webhooks', hook)).body
    await issuer.call('POST', `/v1/webhooks/${id}:ping`)
    const read = async () => (await issuer.call('GET', `/v1/webhooks/${id}`)).body.failing_since
    await until('the webhook fails', read)
    await seen(page)
    const text = fill(words.webhook, { endpoint: ENDPOINT })
    await line(text).waitFor()
    await assertWell(opened)
    await line(text).click()
    await page.waitForURL((url) => url.pathname.endsWith(`/webhooks/${id}`))
    await page.getByText(ENDPOINT).first().waitFor()
    await page.context().close()
  })

  test(`checks that wait are a line of Home, and lead to the reviews, ${way}`, async () => {
    const { tenant, page, attention, line } = await openCalm()
    await attention.getByText(words.calm, { exact: true }).waitFor()
    await createWaiting(world, tenant)
    await seen(page)
    await line(words.checks).click()
    await titled(page, t.pages.reviews)
    await page.locator('main').getByText('Noor Saleh').first().waitFor()
    await page.context().close()
  })

  test(`a dispute near its end is a line of Home, and leads to its page, ${way}`, async () => {
    const { issuer, card, email, page, attention } = await openCalm()
    const sale = { card_id: card.card_id, currency: 'AED', amount: 40 }
    const { body: paid } = await issuer.call('POST', '/v1/simulate/authorizations', sale)
    await issuer.call('POST', `/v1/simulate/authorizations/${paid.id}:clear`)
    const claim = { transaction_id: paid.id, reason: 'DUPLICATE', explanation: 'Paid twice' }
    const { body: dispute } = await issuer.call('POST', '/v1/disputes', claim)
    await seen(page)
    await attention.getByText(words.calm, { exact: true }).waitFor()
    const now = new Date(Date.parse(dispute.deadline) - 3 * DAY_MS).toISOString()
    await issuer.call('PUT', '/v1/simulate/clock', { now })
    await page.context().close()
    const { page: later } = await stage.open(email, '/home', options)
    const [start = ''] = words.dispute.split('{{day}}')
    const line = regionOf(later, words.attention).getByRole('link').filter({ hasText: start })
    assert.match((await line.textContent()) ?? '', /AED\u00a040\.00/)
    await line.click()
    await later.waitForURL((url) => url.pathname.endsWith(`/disputes/${dispute.id}`))
    await headed(later, 'DRAFT')
    await later.context().close()
  })

  test(`funding that runs out is a line of Home, and leads to the accounts, ${way}`, async () => {
    const { issuer, page, attention } = await openCalm()
    await attention.getByText(words.calm, { exact: true }).waitFor()
    const { data } = (await issuer.call('GET', '/v1/funding')).body
    const { currency, balance } = data[0]
    // Nearly all of it is used within a day.
    await issuer.card(Math.floor(balance * 0.95))
    await seen(page)
    const [start = ''] = words.runs_out.split('{{days}}')
    const text = fill(start, { currency }).trim()
    await attention.getByRole('link').filter({ hasText: text }).click()
    await titled(page, t.pages.accounts)
    await page.context().close()
  })
}
