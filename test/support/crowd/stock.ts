/** The stock of a crowd: funded cards, cards of the clients' own, orders that are paid. */

import { FORM, newCheckout, pay } from '../network/purchases.ts'
import type { Killable } from '../processes/killable.ts'
import { Crowd } from './crowd.ts'

const RATE = { rate_limit_per_second: 100_000, rate_limit_burst: 100_000 }
const FUNDS = { currency: 'AED', amount: 10_000 }

type Counts = { cards: number; own_cards: number; orders: number }

export async function gatherCrowd(platform: Killable, counts: Counts): Promise<Crowd> {
  const crowd = new Crowd(platform)
  const { operator_key, tenant } = platform.sandbox
  const settings = `/v1/operator/tenants/${tenant.id}/settings`
  await crowd.made('PUT', settings, { apikey: operator_key, body: RATE })
  await crowd.made('PUT', `/v1/cardproducts/${tenant.card_product_id}`, {
    body: { initial_status_of_virtual_card: 'ACTIVE' },
  })
  await crowd.signIn()
  await makeCards(crowd, counts)
  await makeOrders(crowd, counts.orders)
  return crowd
}

async function makeCards(crowd: Crowd, counts: Counts): Promise<void> {
  const { card_product_id } = crowd.platform.sandbox.tenant
  const name = { first_name: 'Layla', last_name: 'Aziz' }
  const { id: user_id } = await crowd.made('POST', '/v1/users', { body: name })
  const body = { user_id, card_product_id, card_type: 'VIRTUAL' }
  for (let at = 0; at < counts.cards; at++) {
    const card = await crowd.made('POST', '/v1/cards', { body })
    await crowd.made('POST', `/v1/accounts/${card.account_id}:loadfunds`, { body: FUNDS })
    crowd.stock.cards.push(card)
  }
  for (let at = 0; at < counts.own_cards; at++) {
    const card = await crowd.made('POST', '/v1/cards', { body })
    crowd.stock.own_cards.push({ ...card, moves: 0 })
  }
}

/** Adds paid orders of 10.00 AED to the stock. */
export async function makeOrders(crowd: Crowd, count: number): Promise<void> {
  const { stock, platform } = crowd
  const card = await crowd.made('GET', `/v1/cards/${stock.cards[0]?.id}:reveal`)
  const browse = (url: string, form?: string) =>
    platform.clients.ask({
      method: form === undefined ? 'GET' : 'POST',
      url,
      headers: form === undefined ? {} : FORM,
      body: form,
    })
  for (let at = 0; at < count; at++) {
    const body = newCheckout()
    const opened = await crowd.made('POST', '/api/v1.0/checkouts', { as: 'merchant', body })
    await pay(browse, opened.checkout_url, card)
    stock.orders.push(body.reference)
  }
}
