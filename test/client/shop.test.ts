/** The library against the program: a shop with its keys, and a member of the portal. */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import {
  BezantMerchant,
  OrderAlreadyCapturedError,
  UnauthenticatedError,
  ValidationFailedError,
} from '#client/merchant.ts'
import { BezantPortal, OriginRefusedError } from '#client/portal.ts'
import { hashNewPassword } from '#portal/people/people.ts'
import { withBoundPorts } from '#src/config/config.ts'
import { keeper } from '#test/support/keeper.ts'
import { insertPerson } from '#test/support/portal/members.ts'
import { openShop } from '../e2e/shop.ts'

const keep = keeper()
const shop = keep(await openShop())
const baseUrl = await shop.app.listen({ host: '127.0.0.1', port: 0 })
shop.bind(
  withBoundPorts(shop.config, {
    port: Number(new URL(baseUrl).port),
    network_port: shop.issuer_port,
  }),
)
const { public_key, private_key } = shop.merchant
const keys = { public_key, private_key }
const merchant = new BezantMerchant({ baseUrl, keys })

test('a shop captures and refunds an order, by a token that it asks for once', async () => {
  const card = await shop.customer(100_00n)
  const { reference } = await shop.order(card, { total: '10.00' })
  const sent: string[] = []
  const noting = new BezantMerchant({
    ...{ baseUrl, keys },
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

test('a token that has ended is replaced, and wrong keys are 401 at each call', async () => {
  const sent: string[] = []
  let authorized = 0
  const stale = new BezantMerchant({
    ...{ baseUrl, keys },
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
  const pages = {
    confirm_callback_url: 'http://a.example',
    reject_callback_url: 'http://a.example',
  }
  const order = { customer: { email: 'none' } }
  const body = { reference: 'r', total: '1.00', currency: 'XXQ', order, ...pages }
  await assert.rejects(merchant.checkouts.create(body), (error) => {
    assert.ok(error instanceof ValidationFailedError)
    assert.deepEqual(Object.keys(error.faults).sort(), ['currency', 'order.customer.email'])
    return true
  })
})

test('a member signs in and works with the session', async () => {
  const password = randomBytes(9).toString('base64url')
  const person = await insertPerson(shop, {
    password_hash: await hashNewPassword(password, { email: 'x@y.example' }),
  })
  let session = ''
  const onResponse = (response: Response) => {
    session = /bezant_session=([^;]+)/.exec(response.headers.get('set-cookie') ?? '')?.[1] ?? ''
  }
  const visitor = new BezantPortal({ baseUrl })
  await assert.rejects(visitor.sessions.get(), UnauthenticatedError)
  await visitor.sessions.signIn({ email: person.email, password }, { onResponse })
  const member = new BezantPortal({ baseUrl, session })
  const { data } = await member.team.listMembers()
  assert.deepEqual(
    data.map(({ email }) => email),
    [person.email],
  )
  const elsewhere = new BezantPortal({
    ...{ baseUrl: 'http://other.example', session },
    fetch: (input, init) => fetch(String(input).replace('http://other.example', baseUrl), init),
  })
  await assert.rejects(elsewhere.sessions.signOut(), OriginRefusedError)
  assert.equal(await member.sessions.signOut(), undefined)
  await assert.rejects(async () => await member.team.listMembers(), UnauthenticatedError)
})
