/** A payment as its page has it: its further messages, its words, and its neighbours. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { newId } from '#lib/id.ts'
import { keeper } from '#test/support/keeper.ts'
import { makePayer } from './payer.ts'
import { openConsole } from './stage.ts'
import {
  assertWell,
  dialogOf,
  FAR,
  goTo,
  headed,
  press,
  regionOf,
  rowsOf,
  submit,
  tabTo,
  titled,
  USUAL,
  WAYS,
} from './ways.ts'
import type { Words } from './words.ts'

const keep = keeper()
const stage = keep(await openConsole())
// It makes the deliveries of what is decided.
stage.world.sweeper.start()

const SHOP = { id: 'PALM1', name: 'Palm Books', mcc: '5942', city: 'Dubai', country: 'ARE' }
/** Nothing listens there: the delivery stays one that is tried. */
const ENDPOINT = 'http://127.0.0.1:9/hooks'

/** Three purchases of one card, one of them abroad, and one that is declined between them. */
async function makePayments() {
  const { issuer, card, email } = await makePayer(stage.world)
  const { call } = issuer
  const hook = { endpoint: ENDPOINT, events: ['TRANSACTION'] }
  const { id: webhook_id } = (await call('POST', '/v1/webhooks', hook)).body
  const { card_id } = card
  const pay = async (name: string, amount: number, more: object = {}): Promise<string> => {
    const body = { card_id, currency: 'AED', amount, merchant: { ...SHOP, name }, ...more }
    return (await call('POST', '/v1/simulate/authorizations', body)).body.id
  }
  const first = await pay('First Books', 10)
  const wrong = await pay('Wrong Books', 20, { cvv2: '0000' })
  const second = await pay('Second Books', 30)
  const third = await pay('Third Books', 40)
  return { email, first, wrong, second, third, webhook_id }
}

/** Opens a row of the list of those that are held. */
async function openHeld(page: Page, t: Words, name: string): Promise<void> {
  await goTo(page, '/transactions', t.pages.transactions)
  await page.goto(`${page.url()}?status=PENDING`)
  await titled(page, t.pages.transactions)
  await rowsOf(page, t.pages.transactions).getByText(name, { exact: true }).click()
  await headed(page, name)
}

const FILTERED = /status=PENDING/

/** The neighbours of the list as its filter has it, by the keyboard as well. */
async function assertNeighbours(page: Page, t: Words): Promise<void> {
  const { neighbours, previous, next, list } = t.payment
  const nav = page.getByRole('navigation', { name: neighbours, exact: true })
  const link = (name: string) => nav.getByRole('link', { name, exact: true })
  await link(next).click()
  // The declined one stands between the two, and is not in the list.
  await headed(page, 'First Books')
  assert.match(page.url(), FILTERED)
  await link(previous).waitFor()
  assert.equal(await link(next).count(), 0)
  await tabTo(page, link(previous))
  await page.keyboard.press('Enter')
  await headed(page, 'Second Books')
  await link(list).click()
  await titled(page, t.pages.transactions)
  assert.match(page.url(), FILTERED)
  await page.goBack()
  await headed(page, 'Second Books')
}

/** The page says in words what was proved and sent. */
async function assertWords(page: Page, t: Words): Promise<void> {
  const results = regionOf(page, t.payment.results)
  const group = (name: string) => results.locator('div').filter({ hasText: name }).last()
  await group(t.payment.groups.card).getByText(t.payment.words.active).waitFor()
  await group(t.payment.groups.cvv).getByText(t.payment.words.absent).waitFor()
  const facts = regionOf(page, t.transactions.details)
  await facts.getByText(t.mccs['5942'], { exact: true }).waitFor()
  await facts.getByText(t.payment.entry_modes.ECOMMERCE, { exact: true }).waitFor()
  const caused = rowsOf(page, t.payment.caused)
  await caused.getByText(ENDPOINT, { exact: true }).first().waitFor()
}

/** The shop sends more afterwards, of a part and of the whole. */
async function assertFollowed(page: Page, t: Words): Promise<void> {
  const { payment } = t
  await press(page, payment.clear)
  const clear = dialogOf(page, payment.clear)
  await clear.getByLabel(t.payment.how_much.replace('{{currency}}', 'AED')).fill('AED 12.00')
  await submit(clear, payment.clear)
  const amounts = rowsOf(page, payment.amounts)
  const cleared = amounts.filter({ hasText: payment.kinds.cleared })
  await cleared.getByText('AED 12.00').waitFor()
  await amounts.filter({ hasText: payment.kinds.settlement }).getByText('AED 12.00').waitFor()
  await press(page, payment.refund)
  await submit(dialogOf(page, payment.refund), payment.refund)
  await amounts.filter({ hasText: payment.kinds.refunded }).getByText('AED 12.00').waitFor()
}

for (const { way, t, options } of WAYS) {
  test(`a payment is cleared, refunded and reversed on its page ${way}`, async () => {
    const { email, third, wrong } = await makePayments()
    const opened = await stage.openPage(options)
    const { page } = opened
    await stage.signIn(opened, email, '/home')
    await openHeld(page, t, 'Second Books')
    await assertNeighbours(page, t)
    await assertWords(page, t)
    await assertWell(opened)
    await assertFollowed(page, t)
    await assertWell(opened)
    await page.goto(`${stage.home}/console/transactions/${third}`)
    await press(page, t.payment.reverse)
    await submit(dialogOf(page, t.payment.reverse), t.payment.reverse)
    await page.getByRole('heading', { level: 1 }).getByText('VOIDED').waitFor()
    await page.goto(`${stage.home}/console/transactions/${wrong}`)
    const results = regionOf(page, t.payment.results)
    await results.locator('dd').filter({ hasText: t.payment.words.wrong }).waitFor()
    assert.equal(await page.getByRole('button', { name: t.payment.clear }).count(), 0)
    await assertWell(opened)
  })
}

/** Deliveries to the webhook about other payments, made after those that are there. */
async function addDeliveries(webhook_id: string, count: number): Promise<void> {
  const newest = newId().slice(0, 15)
  await sql`
    insert into deliveries (tenant_id, id, webhook_id, event_id, event, object_id, sequence, status,
      attempts, due, created, modified)
    select tenant_id, overlay(gen_random_uuid()::text placing ${newest} from 1 for 15)::uuid,
      webhook_id, gen_random_uuid(), event, gen_random_uuid(), 1, 'DELIVERED', 1, null, now(), now()
    from (select tenant_id, webhook_id, event from deliveries
      where webhook_id = ${webhook_id}::uuid limit 1) d
    cross join generate_series(1, ${count})`.execute(stage.world.db)
}

test('a payment has its webhooks, though those of 200 others are newer', async () => {
  const { email, first, webhook_id } = await makePayments()
  const opened = await stage.open(email, `/transactions/${first}`, USUAL.options)
  const caused = rowsOf(opened.page, USUAL.t.payment.caused)
  await caused.getByText(ENDPOINT, { exact: true }).waitFor()
  await addDeliveries(webhook_id, 200)
  await opened.page.reload()
  await caused.getByText(ENDPOINT, { exact: true }).waitFor()
})

test(`a payment fits ${FAR.way}, and dark`, async () => {
  const { email, first } = await makePayments()
  const options = { ...FAR.options, colorScheme: 'dark' } as const
  const opened = await stage.open(email, `/transactions/${first}`, options)
  await assertWords(opened.page, FAR.t)
  await assertWell(opened)
})
