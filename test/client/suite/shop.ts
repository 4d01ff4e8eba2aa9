/** The library against the program: a shop with its keys, and a member of the portal. */

import assert from 'node:assert/strict'
import {
  BezantError,
  BezantMerchant,
  OrderAlreadyCapturedError,
  payCheckout,
  UnauthenticatedError,
  ValidationFailedError,
} from '#client/merchant.ts'
import { BezantPortal, OriginRefusedError } from '#client/portal.ts'
import { test } from './harness.ts'
import { baseUrl, bezant, login, openCard, operator, tenant_id } from './program.ts'

const callbacks = {
  confirm_callback_url: 'http://shop.example/paid',
  reject_callback_url: 'http://shop.example/not-paid',
}
// The customer of these tests reads the number of the card.
await operator.operator.updateSettings(tenant_id, { pci_compliant: true })
const made = await operator.operator.createMerchant({ tenant_id, name: 'Suite Books' })
const { public_key, private_key } = await operator.operator.createMerchantKey(made.id)
const keys = { public_key, private_key }
const merchant = new BezantMerchant({ baseUrl, keys })

/** The reference of an order that its customer has paid on the payment page. */
async function openOrder(total: string): Promise<string> {
  const { card_id } = await openCard(100)
  const reference = crypto.randomUUID()
  const checkout = { reference, total, currency: 'AED', ...callbacks }
  const opened = await merchant.checkouts.create(checkout)
  const to = await payCheckout(opened, await bezant.cards.reveal(card_id))
  assert.equal(to, callbacks.confirm_callback_url)
  return reference
}

test('a shop captures and refunds an order, by a token that it asks for once', async () => {
  const reference = await openOrder('10.00')
  const sent: string[] = []
  const noting = new BezantMerchant({
    baseUrl,
    keys,
    fetch: (input, init) => {
      sent.push(`${init?.method} ${new URL(String(input)).pathname}`)
      return fetch(input, init)
    },
  })
  const captured = await noting.orders.capture(reference)
  assert.equal(captured.status, 'SUCCESS')
  await assert.rejects(noting.orders.capture(reference), (error) => {
    assert.ok(error instanceof OrderAlreadyCapturedError)
    assert.equal(error.code, 'order_already_captured')
    return true
  })
  const refund = await noting.orders.refund(reference, { total: '4.00', currency: 'AED' })
  assert.equal(refund.status, 'SUCCESS')
  const orders = await noting.orders.list({ reference }).all({ limit: 2 })
  assert.deepEqual(
    orders.map(({ total_refund }) => Number(total_refund)),
    [4],
  )
  const tokens = sent.filter((one) => one.endsWith('/merchant/authentication'))
  assert.equal(tokens.length, 1)
})

test('a card that the payment page does not take is an error, and one may still pay', async () => {
  const checkout = { reference: crypto.randomUUID(), total: '90.00', currency: 'AED', ...callbacks }
  const opened = await merchant.checkouts.create(checkout)
  const { card_id } = await openCard(50)
  const poor = await bezant.cards.reveal(card_id)
  await assert.rejects(payCheckout(opened, poor), /has not taken the card/)
  await assert.rejects(payCheckout(opened, { ...poor, card_number: '1' }), BezantError)
  const rich = await bezant.cards.reveal((await openCard(100)).card_id)
  assert.equal(await payCheckout(opened, rich), callbacks.confirm_callback_url)
})

test('a token that has ended is replaced, and wrong keys are 401 at each call', async () => {
  const sent: string[] = []
  let authorized = 0
  const stale = new BezantMerchant({
    baseUrl,
    keys,
    fetch: (input, init) => {
      const path = new URL(String(input)).pathname
      sent.push(path)
      const headers = new Headers(init?.headers)
      if (headers.has('authorization')) authorized += 1
      // Both calls begin with a token that has ended.
      if (authorized <= 2) headers.set('authorization', 'Bearer ended')
      return fetch(input, { ...init, headers })
    },
  })
  const lists = await Promise.all([stale.orders.list(), stale.payouts.list()])
  assert.deepEqual(
    lists.map(({ has_more }) => has_more),
    [false, false],
  )
  assert.equal(sent.filter((path) => path.endsWith('/merchant/authentication')).length, 2)
  assert.equal(sent.length, 6)
  const wrong = new BezantMerchant({ baseUrl, keys: { ...keys, private_key: 'wrong' } })
  await assert.rejects(async () => await wrong.orders.list(), UnauthenticatedError)
  await assert.rejects(async () => await wrong.payouts.list(), UnauthenticatedError)
  const alone = new BezantMerchant({ baseUrl, token: 'ended' })
  await assert.rejects(async () => await alone.orders.list(), UnauthenticatedError)
})

test('nested faults of a checkout are named by their paths', async () => {
  const order = { customer: { email: 'none' } }
  const body = { reference: 'r', total: '1.00', currency: 'XXQ', order, ...callbacks }
  await assert.rejects(merchant.checkouts.create(body), (error) => {
    assert.ok(error instanceof ValidationFailedError)
    assert.deepEqual(Object.keys(error.faults).sort(), ['currency', 'order.customer.email'])
    return true
  })
})

test('a member signs in and works with the session', async () => {
  let session = ''
  const onResponse = (response: Response) => {
    session = /bezant_session=([^;]+)/.exec(response.headers.get('set-cookie') ?? '')?.[1] ?? ''
  }
  const visitor = new BezantPortal({ baseUrl })
  await assert.rejects(visitor.sessions.get(), UnauthenticatedError)
  await visitor.sessions.signIn(login, { onResponse })
  const member = new BezantPortal({ baseUrl, session })
  const { data } = await member.team.listMembers()
  assert.deepEqual(
    data.map(({ email }) => email),
    [login.email],
  )
  const elsewhere = new BezantPortal({
    baseUrl: 'http://other.example',
    session,
    fetch: (input, init) => fetch(String(input).replace('http://other.example', baseUrl), init),
  })
  await assert.rejects(elsewhere.sessions.signOut(), OriginRefusedError)
  assert.equal(await member.sessions.signOut(), undefined)
  await assert.rejects(async () => await member.team.listMembers(), UnauthenticatedError)
})
