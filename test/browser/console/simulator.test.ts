/** The simulator in a browser: one payment, and what follows it. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { keeper } from '#test/support/keeper.ts'
import { makePayer } from './payer.ts'
import { faultsOfAxe, type Opened, openConsole, overflowOf } from './stage.ts'

const keep = keeper()
const stage = keep(await openConsole())

const WIDE = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }

const email = await makePayer(stage)

const region = (page: Page, name: string): Locator => page.getByRole('region', { name })

async function clean({ page, faults }: Opened): Promise<void> {
  assert.deepEqual(await faultsOfAxe(page), [])
  assert.ok((await overflowOf(page)) <= 0)
  assert.deepEqual(faults, [])
}

async function openTerminal(viewport: typeof WIDE): Promise<Opened> {
  const opened = await stage.openPage({ viewport })
  keep({ close: () => opened.context.close() })
  await stage.signIn(opened, email, '/simulator')
  await opened.page.getByRole('button', { name: 'Send', exact: true }).waitFor()
  return opened
}

const send = (page: Page) => page.getByRole('button', { name: 'Send', exact: true }).click()
const verdict = (page: Page, code: string) =>
  region(page, 'Decision').getByRole('status').getByText(code).waitFor()

for (const viewport of [PHONE, WIDE]) {
  test(`a payment is approved, increased, cleared and refunded at ${viewport.width} pixels`, async () => {
    const opened = await openTerminal(viewport)
    const { page } = opened
    await page.getByLabel('Amount', { exact: true }).fill('20.00')
    await send(page)
    await verdict(page, '0000')
    await region(page, 'Message').getByText('0100').first().waitFor()
    await region(page, 'Balances')
      .getByText(/\+\D*20\.00/)
      .waitFor()
    const next = region(page, 'What the shop does next')
    await next.getByLabel('How much').fill('5')
    await next.getByRole('button', { name: 'Increment' }).click()
    await next.getByText(/25\.00/).waitFor()
    await next.getByRole('button', { name: 'Clear' }).click()
    await next.getByText('SETTLED').first().waitFor()
    await next.getByLabel('How much').fill('10')
    await next.getByRole('button', { name: 'Refund' }).click()
    await next.getByText('Refunded').waitFor()
    await next.getByText(/\D10\.00/).waitFor()
    const sent = region(page, 'Sent in this visit')
    assert.equal(await sent.getByRole('listitem').count(), 4)
    await clean(opened)
    await sent.getByRole('button', { name: /^Send again: Request/ }).click()
    await sent.getByRole('listitem').nth(4).waitFor()
    await sent
      .getByRole('button', { name: /Refund/ })
      .first()
      .click()
    await region(page, 'Decision').getByText('SETTLED').waitFor()
  })
}

test('a wrong PIN is declined and moves nothing; a wrong cryptogram as well', async () => {
  const opened = await openTerminal(WIDE)
  const { page } = opened
  await page.getByRole('button', { name: 'ATM' }).click()
  assert.equal(await page.getByLabel('MCC').inputValue(), '6011')
  await page.getByText('Cash machines').first().waitFor({ state: 'attached' })
  await page.getByRole('button', { name: /^More/ }).click()
  await page.getByLabel('PIN').fill('12')
  await send(page)
  await page.getByText('4 to 12 digits').waitFor()
  await page.getByLabel('PIN').fill('0001')
  await send(page)
  await verdict(page, '1017')
  await region(page, 'Balances').getByText('Nothing has moved.').waitFor()
  await clean(opened)
  await page.getByLabel('PIN').fill('')
  await page.getByRole('button', { name: 'Groceries' }).click()
  await page.getByLabel('Channel').selectOption('CHIP')
  await page.getByLabel('Cryptogram').selectOption('WRONG')
  await send(page)
  await verdict(page, '1810')
  await page.getByLabel('Cryptogram').selectOption('RIGHT')
  await send(page)
  await verdict(page, '0000')
})

test('what the server finds wrong stands at its field', async () => {
  const { page } = await openTerminal(WIDE)
  await page.getByLabel('Country').fill('QQ')
  await send(page)
  await page.getByText('is not an ISO 3166 country').first().waitFor()
  assert.equal(await page.getByLabel('Country').getAttribute('aria-invalid'), 'true')
})

test('a what-if names the largest amount that would pass and leaves nothing', async () => {
  const { page } = await openTerminal(PHONE)
  await page.getByText('What-if', { exact: true }).click()
  await page.getByLabel('Amount', { exact: true }).fill('100000')
  await send(page)
  await verdict(page, '1016')
  await region(page, 'Decision')
    .getByText(/At most .* would be approved/)
    .waitFor()
  await region(page, 'Message').getByText('nothing is stored').waitFor()
  assert.equal(await region(page, 'What the shop does next').count(), 0)
})

test('a card of another status is found and declined', async () => {
  const { page } = await openTerminal(WIDE)
  await page.getByRole('button', { name: 'Find another' }).click()
  await page.getByLabel('Status').selectOption('TERMINATED')
  await page.getByText('None is found').waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Send', exact: true, disabled: true }).waitFor()
  await page.getByRole('button', { name: 'Active ones only' }).click()
  await page.getByRole('button', { name: 'Send', exact: true, disabled: false }).waitFor()
})
