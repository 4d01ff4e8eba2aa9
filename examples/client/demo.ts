/** The demo with the client library: a card is issued, pays in a shop, is refunded, is declined. */

import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { EventEmitter, on, once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { Bezant, webhooks } from '@bezant/client'
import { BezantMerchant } from '@bezant/client/merchant'

const file = `${process.env['DATA_DIR'] ?? 'data'}/sandbox.json`
const { base_url: baseUrl, tenant, ...sandbox } = JSON.parse(readFileSync(file, 'utf8'))
const bezant = new Bezant({ baseUrl, apiKey: tenant.api_key })
const operator = new Bezant({ baseUrl, apiKey: sandbox.operator_key })
const shop = new BezantMerchant({ baseUrl, keys: sandbox.merchant })
const currency = 'AED'

// A receiver of events, before anything happens.
const received = new EventEmitter()
const events = on(received, 'event')
const server = createServer(async (request, response) => {
  received.emit('event', webhooks.unwrap(await text(request), request.headers, webhook.secret))
  response.end()
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const endpoint = `http://127.0.0.1:${Object(server.address()).port}/hooks`
const webhook = await bezant.webhooks.create({
  endpoint,
  events: ['TRANSACTION', 'ORDER_REFUNDED'],
})

// A user with an active card of a product of its own, and 500.00 on it.
const user = await bezant.users.create({ first_name: 'Layla', last_name: 'Haddad' })
const bin = `4${randomInt(10 ** 7)}`.padEnd(8, '0')
const product = await bezant.cardProducts.create({ name: 'Demo virtual', currency, bin })
const order = { user_id: user.id, card_product_id: product.id, card_type: 'VIRTUAL' } as const
const { id: card_id, account_id = '' } = await bezant.cards.create(order)
await bezant.cards.changeStatus(card_id, { status: 'ACTIVE', status_reason_code: 'A0' })
await bezant.accounts.loadFunds(account_id, { currency, amount: 500 })

/** Checks the balance and the holds of the card, and what has gone to the network, in fils. */
async function expect(step: string, balance: number, held: number): Promise<void> {
  const account = await bezant.accounts.get(account_id)
  const found = [account.balance, account.held_amount, (await settlement()) - before]
  console.log(`${step}: balance ${account.balance}, held ${account.held_amount}`)
  const inFils = (amounts: number[]) => amounts.map((amount) => Math.round(amount * 100))
  assert.deepEqual(inFils(found), inFils([balance, held, 500 - balance]))
}
async function settlement(): Promise<number> {
  const accounts = await operator.operator.listProgramAccounts(tenant.id)
  const isIt = (one: { kind: string; currency: string }) =>
    one.kind === 'SETTLEMENT' && one.currency === currency
  return accounts.data.find(isIt)?.balance ?? 0
}
const before = await settlement()

// The shop opens a checkout, which its customer pays on its page; it captures and refunds.
const reference = `DEMO-${card_id}`
const [confirm_callback_url, reject_callback_url] = [
  'https://shop.example/yes',
  'https://shop.example/no',
]
const checkout = { reference, total: '120.50', currency, confirm_callback_url, reject_callback_url }
const { pathname, search } = new URL((await shop.checkouts.create(checkout)).checkout_url)
const page = new URL(pathname + search, baseUrl)
const form_token =
  (await (await fetch(page)).text()).match(/"form_token" value="([^"]+)/)?.[1] ?? ''
const { card_number, expiry_date, cvv2 } = await bezant.cards.reveal(card_id)
const expiry = expiry_date.replace(/^..(..)-(..)$/, '$2/$1')
const body = new URLSearchParams({ form_token, card_number, expiry, cvv2 })
assert.equal((await fetch(page, { method: 'POST', body, redirect: 'manual' })).status, 303)
await expect('authorized', 500, 120.5)
await shop.orders.capture(reference)
await expect('captured', 379.5, 0)
await shop.orders.refund(reference, { total: '20.25', currency })
await expect('refunded', 399.75, 0)

// A purchase of 9,999.00 is declined, and its trace says why.
const purchase = { card_id, amount: 9999, currency, merchant: { id: 'BIGSHOP', mcc: '5411' } }
const declined = await bezant.simulation.authorization(purchase)
const { checks } = await bezant.transactions.getTrace('id' in declined ? declined.id : '')
const refused = checks.find(({ verdict }) => verdict === 'refused')
console.log(`declined: ${declined.status_code} by ${refused?.check}: ${refused?.detail}`)
await expect('declined', 399.75, 0)

for await (const [{ event, id }] of events) {
  console.log(`received ${event} ${id}`)
  if (event === 'ORDER_REFUNDED') break
}
await bezant.webhooks.delete(webhook.id)
server.closeAllConnections()
server.close()
