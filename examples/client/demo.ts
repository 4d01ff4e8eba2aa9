/** The demo with the client library: a card is issued, pays in a shop, is refunded, is declined. */

import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { Bezant, webhooks } from '@bezant/client'
import { BezantMerchant, payCheckout } from '@bezant/client/merchant'

const file = `${process.env['DATA_DIR'] ?? 'data'}/sandbox.json`
const { base_url: baseUrl, tenant, ...sandbox } = JSON.parse(readFileSync(file, 'utf8'))
const bezant = new Bezant({ baseUrl, apiKey: tenant.api_key })
const operator = new Bezant({ baseUrl, apiKey: sandbox.operator_key })
const shop = new BezantMerchant({ baseUrl, keys: sandbox.merchant })
const currency = 'AED'

// A receiver of events, before anything happens.
const receiver = createServer(async (request, response) => {
  const { event, id } = webhooks.unwrap(await text(request), request.headers, webhook.secret)
  receiver.emit(event, id)
  response.writeHead(200, { connection: 'close' }).end()
}).listen(0, '127.0.0.1')
await once(receiver, 'listening')
const endpoint = `http://127.0.0.1:${Object(receiver.address()).port}/hooks`
const webhook = await bezant.webhooks.create({ endpoint, events: ['ORDER_REFUNDED'] })
const refunded = once(receiver, 'ORDER_REFUNDED')

// A user with an active card of a product of its own, and 500.00 on it.
const user = await bezant.users.create({ first_name: 'Layla', last_name: 'Haddad' })
const bin = `4${randomInt(10 ** 7)}`.padEnd(8, '0')
const product = await bezant.cardProducts.create({ name: 'Demo virtual', currency, bin })
const order = { user_id: user.id, card_product_id: product.id, card_type: 'VIRTUAL' } as const
const { id: card_id, account_id = '' } = await bezant.cards.create(order)
await bezant.cards.changeStatus(card_id, { status: 'ACTIVE', status_reason_code: 'A0' })
await bezant.accounts.loadFunds(account_id, { currency, amount: 500 })

/** The amount that the network is owed, in fils. */
async function settlement(): Promise<number> {
  const { data } = await operator.operator.listProgramAccounts(tenant.id)
  const owed = data.find((one) => one.kind === 'SETTLEMENT' && one.currency === currency)
  return Math.round((owed?.balance ?? 0) * 100)
}
const before = await settlement()

/** Checks the balance and the holds of the card, and what has gone to the network. */
async function expect(step: string, balance: number, held: number): Promise<void> {
  const account = await bezant.accounts.get(account_id)
  console.log(`${step}: balance ${account.balance}, held ${account.held_amount}`)
  assert.deepEqual([account.balance, account.held_amount], [balance, held])
  assert.equal((await settlement()) - before, (500 - balance) * 100)
}

// The shop opens a checkout, which its customer pays on its page; it captures and refunds.
const urls = { confirm_callback_url: 'https://s.example', reject_callback_url: 'https://s.example' }
const reference = `DEMO-${card_id}`
const checkout = await shop.checkouts.create({ reference, total: '120.50', currency, ...urls })
await payCheckout(checkout, await bezant.cards.reveal(card_id))
await expect('authorized', 500, 120.5)
await shop.orders.capture(reference)
await expect('captured', 379.5, 0)
await shop.orders.refund(reference, { total: '20.25', currency })
await expect('refunded', 399.75, 0)

// A purchase of 9,999.00 is declined, and its trace says why.
const tooMuch = { card_id, amount: 9999, currency, merchant: { id: 'BIGSHOP', mcc: '5411' } }
const declined = await bezant.simulation.authorization(tooMuch)
const { checks } = await bezant.transactions.getTrace('id' in declined ? declined.id : '')
const refused = checks.find(({ verdict }) => verdict === 'refused')
console.log(`declined: ${declined.status_code} by ${refused?.check}: ${refused?.detail}`)
await expect('declined', 399.75, 0)

console.log(`received ORDER_REFUNDED ${await refunded}`)
await bezant.webhooks.delete(webhook.id)
receiver.close()
