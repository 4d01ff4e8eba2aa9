/** A small database in which much has happened, correct to the last row, for tests of doctor. */

import assert from 'node:assert/strict'
import { addDays, formatDate } from '#lib/time.ts'
import { about, purchase, type TestMessage } from '#test/support/desk.ts'
import { type Issuer, type MadeCard, openIssuer } from '#test/support/issuer.ts'
import { linkLimit } from '#test/support/limits.ts'
import { moveClockTo, moveClockToNoon } from '#test/support/time/moved_clock.ts'
import { keep } from '../e2e/kept.ts'
import { openShop, type Shop } from '../e2e/shop.ts'

const fees = [{ currency: 'AED', percent: 2, fixed: 1, refund_fee: 0.5 }]
const settings = { kept_cards: true, partial_captures: true, fees }
const CASH = { processing_code: '010000', message_type: '0200' } as const

/** A shop and the issuer of its cards, forty days later. */
export async function openBusyShop() {
  await using opened = new AsyncDisposableStack()
  const shop = opened.use(await openShop({ settings }))
  await setRates(shop)
  const issuer = await openIssuer(shop)
  const cards = await makeCards(issuer)
  const payments = await payWithCards(shop, issuer, cards)
  await sellThings(shop)
  // The clock is moved to a noon, so that all that follows is of one day.
  const noon = addDays(new Date(await moveClockToNoon(shop, shop.tenant)), 40)
  noon.setUTCHours(12)
  await moveClockTo(shop, shop.tenant, noon)
  await shop.signIn()
  const held = await ask(shop, purchase(cards.card, 700n))
  const counted = await ask(shop, purchase(cards.counted_card, 1_000n))
  const sales = await sellAfterPayout(shop)
  opened.move()
  return { shop, date: formatDate(noon), ...cards, ...payments, held, counted, ...sales }
}

async function ask(shop: Shop, request: TestMessage, code = '0000'): Promise<string> {
  const answer = await shop.engine.submit(shop.tenant.id, { request })
  assert.equal(answer.status_code, code)
  return answer.transaction_id
}

async function setRates(shop: Shop): Promise<void> {
  const rates = [
    { from: 'USD', to: 'AED', rate: '3.6725' },
    { from: 'JPY', to: 'AED', rate: '0.0013' },
  ]
  const options = { key: shop.operator_key }
  const answer = await shop.request('PUT', '/v1/operator/rates', { rates }, options)
  assert.equal(answer.status, 200, answer.text)
}

async function post(shop: Shop, path: string, body: object): Promise<void> {
  const answer = await shop.call('POST', path, body)
  assert.ok(answer.status < 300, answer.text)
}

type Cards = {
  /** Charged for cash, for other currencies and each month. */
  card: MadeCard
  /** Its user's payments count against a limit. */
  counted_card: MadeCard
  other: MadeCard
  waiting: MadeCard
}

async function makeCards(issuer: Issuer): Promise<Cards> {
  const charges = [
    { type: 'CASH_WITHDRAWAL', amount: 2 },
    { type: 'FOREIGN_CURRENCY', percent: '1' },
    { type: 'MONTHLY', amount: 3 },
  ]
  const card = await issuer.card(10_000, { charges })
  const other = await issuer.card(1_000, {})
  const counted_card = await issuer.card(1_000)
  await linkLimit(issuer, 'velocitylimits', `users/${counted_card.user_id}`, {
    type: 'CUMULATIVE',
    max_amount: 900,
    frequency: 90,
    period: 'LIFETIME',
  })
  // It has too little for this charge, which waits.
  const waiting = await issuer.card(0, { charges: [{ type: 'ISSUING', amount: 50 }] })
  return { card, other, counted_card, waiting }
}

/** Raised, lowered, cleared, refunded, reversed, expired, abroad, cash, against nothing (D-952). */
async function payWithCards(shop: Shop, issuer: Issuer, { card }: Cards) {
  const bought = purchase(card, 10_000n)
  const cleared = await ask(shop, bought)
  await ask(shop, about(bought, { message_type: '0100', amount: 2_000n }))
  await ask(shop, about(bought, { message_type: '0400', remaining_amount: 11_000n }))
  await ask(shop, about(bought, { message_type: '0220', amount: 9_000n }))
  const back = { message_type: '0200', processing_code: '200000', amount: 3_000n } as const
  const refund = await ask(shop, about(bought, back))
  const reversed = purchase(card, 500n)
  await ask(shop, reversed)
  await ask(shop, about(reversed, { message_type: '0400' }))
  await ask(shop, about(reversed, { message_type: '0220', amount: 400n }), '1894')
  await ask(shop, purchase(card, 250n))
  const poor = await issuer.card(1)
  const declined = purchase(poor, 300n)
  await ask(shop, declined, '1016')
  await ask(shop, about(declined, { message_type: '0220' }), '9115')
  const abroad = purchase(card, 9_999n, { currency: 'USD' })
  const foreign = await ask(shop, abroad)
  await ask(shop, about(abroad, { message_type: '0220', amount: 9_999n }))
  const cash = await ask(shop, purchase(card, 5_000n, CASH))
  return { cleared, refund, foreign, cash }
}

/** An order that is captured, refunded in part, and paid out with the end of the day. */
async function sellThings(shop: Shop): Promise<void> {
  const { reference } = await shop.order(await shop.customer(100_000_000n))
  await post(shop, `/orders/${reference}/capture/`, { final: true })
  await post(shop, `/orders/${reference}/refund/`, { total: '10', currency: 'AED' })
}

/** Ids of an order that is captured, of one that is open, and of a kept card. */
async function sellAfterPayout(shop: Shop) {
  const customer = await shop.customer(100_000_000n)
  const sold = await shop.order(customer)
  await post(shop, `/orders/${sold.reference}/capture/`, { final: true })
  const open: string = (await shop.order(customer)).order_id
  const kept: string = (await keep(shop, customer, 'omar')).id
  // 3 JPY are 0.0039 AED, so the first two parts move nothing at the account.
  const small = await shop.order(customer, { total: '1000', currency: 'JPY' })
  for (const total of ['3', '3', '994']) {
    await post(shop, `/orders/${small.reference}/capture/`, { total, final: total === '994' })
  }
  const captured: string = sold.order_id
  return { captured, open, kept }
}
