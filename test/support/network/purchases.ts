/** Purchases over the wire, as a shop's customer makes them: checkout, payment page, order. */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createTenantFinder } from '#issuing/authorization/authorization.ts'
import { createNetworkPort } from '#issuing/authorization/port/port.ts'
import type { NetworkEngine } from '#issuing/authorization/port/reversals.ts'
import { withBoundPorts } from '#src/config/config.ts'
import type { World } from '../world.ts'

/**
 * Opens the issuer's port, to which the merchants of this world send their messages. `http_port` is
 * where its pages are.
 */
export const listenForCards = (world: World, http_port = 8080) =>
  listenWith(
    world,
    {
      submit: (tenant_id, job) => world.engine.submit(tenant_id, job),
      tenantOfPan: createTenantFinder(world.services),
    },
    http_port,
  )

/** The same with another engine, which decides. */
export async function listenWith(
  world: World,
  engine: NetworkEngine,
  http_port = 8080,
): Promise<{ close: () => Promise<void> }> {
  const { dialect, header } = world.config.network
  const port = createNetworkPort({
    host: '127.0.0.1',
    port: 0,
    dialect,
    header,
    engine,
    log: world.log,
  })
  const { port: network_port } = await port.listen()
  world.bind(withBoundPorts(world.config, { port: http_port, network_port }))
  return { close: () => port.close() }
}

export const newCheckout = () => ({
  reference: randomUUID(),
  total: '10.00',
  currency: 'AED',
  confirm_callback_url: 'http://shop.example/confirm',
  reject_callback_url: 'http://shop.example/reject',
})

type Card = { card_number: string; expiry_date: string; cvv2: string }

/** Asks for a page, or sends its form. */
type Browse = (url: string, form?: string) => Promise<Browsed>
type Browsed = { status: number; text: string }

export const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** Pays a checkout of the token's merchant with a card; answers the order's reference. */
export async function buy(world: World, token: string, card: Card): Promise<string> {
  const body = newCheckout()
  const options = { key: null, headers: { authorization: `Bearer ${token}` } }
  const opened = await world.request('POST', '/api/v1.0/checkouts', body, options)
  assert.equal(opened.status, 201, opened.text)
  await pay(browserOf(world), opened.body.checkout_url, card)
  return body.reference
}

/** The same of a customer who lets the merchant keep the card; answers the id of the kept card. */
export async function buyAndKeep(world: World, token: string, card: Card): Promise<string> {
  const customer = randomUUID()
  const body = { ...newCheckout(), order: { customer: { reference: customer } } }
  const options = { key: null, headers: { authorization: `Bearer ${token}` } }
  const opened = await world.request('POST', '/api/v1.0/checkouts', body, options)
  assert.equal(opened.status, 201, opened.text)
  await pay(browserOf(world), opened.body.checkout_url, card, { keep_card: 'en-1' })
  const path = `/api/v1.0/kept-cards?customer=${customer}`
  const { body: kept, text } = await world.request('GET', path, undefined, options)
  assert.equal(kept.data.length, 1, text)
  return String(kept.data[0].id)
}

/** Asks the pages of a world. */
export function browserOf({ app }: World): Browse {
  return async (url, form) => {
    const sent = form === undefined ? { method: 'GET' as const } : { method: 'POST' as const }
    const payload = form !== undefined && { headers: FORM, payload: form }
    const { statusCode: status, body: text } = await app.inject({ url, ...sent, ...payload })
    return { status, text }
  }
}

/** Pays as a customer does; the payment is approved. */
export async function pay(...payment: Parameters<typeof sendPayment>): Promise<void> {
  const paid = await sendPayment(...payment)
  assert.equal(paid.status, 303, paid.text)
}

/** Fills in the payment page and sends it, as a browser without scripts does. */
export async function sendPayment(
  browse: Browse,
  checkout_url: string,
  card: Card,
  others: Record<string, string> = {},
): Promise<Browsed> {
  const { pathname, search } = new URL(checkout_url)
  const url = pathname + search
  const page = await browse(url)
  const form_token = /name="form_token" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  const [year = '', month = ''] = card.expiry_date.slice(2).split('-')
  const { card_number, cvv2 } = card
  const fields = { form_token, card_number, expiry: `${month}/${year}`, cvv2, ...others }
  return browse(url, new URLSearchParams(fields).toString())
}
