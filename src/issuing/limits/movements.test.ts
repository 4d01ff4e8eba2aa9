/** Balance limits where a client moves money: 409 with the limit's id (D-35, D-41). */

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openIssuer } from '#test/support/issuer.ts'
import { linkLimit } from '#test/support/limits.ts'
import { openWorld } from '#test/support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const issuer = await openIssuer(world)
const { call } = issuer

const move = (id: string, verb: 'loadfunds' | 'unloadfunds', amount: number) =>
  call('POST', `/v1/accounts/${id}:${verb}`, { currency: 'AED', amount })
const transfer = (sender_account_id: string, recipient_account_id: string, amount: number) =>
  call('POST', '/v1/transfers', {
    sender_account_id,
    recipient_account_id,
    currency: 'AED',
    amount,
  })

type Answer = Awaited<ReturnType<typeof move>>
const outcome = ({ status, body }: Answer) => [status, body.code, body.limit_id]
const MOVED = [200, undefined, undefined]

test('an account gets no more and keeps no less than its limit permits', async () => {
  const { account_id } = await issuer.card(50)
  const limit = { type: 'PER_ACCOUNT', min_amount: 20, max_amount: 60 }
  const id = await linkLimit(issuer, 'balancelimits', `accounts/${account_id}`, limit)
  const above = [409, 'maximum_account_balance_limit_reached', id]
  const below = [409, 'minimum_account_balance_limit_reached', id]
  assert.deepEqual(outcome(await move(account_id, 'loadfunds', 10.01)), above)
  assert.deepEqual(outcome(await move(account_id, 'loadfunds', 10)), MOVED)
  assert.deepEqual(outcome(await move(account_id, 'unloadfunds', 40.01)), below)
  assert.equal((await move(account_id, 'unloadfunds', 60.01)).body.code, 'insufficient_funds')
  assert.deepEqual(outcome(await move(account_id, 'unloadfunds', 40)), MOVED)
})

test('a transfer asks the limits of both sides', async () => {
  const [one, other] = [await issuer.card(100), await issuer.card(0)]
  const from = `accounts/${one.account_id}`
  const to = `users/${other.user_id}`
  const least = await linkLimit(issuer, 'balancelimits', from, {
    type: 'PER_ACCOUNT',
    min_amount: 50,
  })
  const most = await linkLimit(issuer, 'balancelimits', to, { type: 'PER_USER', max_amount: 30 })
  const send = (amount: number) => transfer(one.account_id, other.account_id, amount)
  assert.deepEqual(outcome(await send(50.01)), [
    ...[409, 'minimum_account_balance_limit_reached', least],
  ])
  assert.deepEqual(outcome(await send(30.01)), [409, 'maximum_user_balance_limit_reached', most])
  assert.deepEqual(outcome(await send(30)), MOVED)
})

test('loads at once never pass the sum of a user’s accounts', async () => {
  const first = await issuer.card(0)
  const { card_product_id } = (await call('GET', `/v1/cards/${first.card_id}`)).body
  const issued = { user_id: first.user_id, card_product_id, card_type: 'VIRTUAL' }
  const second = (await call('POST', '/v1/cards', issued)).body
  const fields = { type: 'PER_USER', max_amount: 100 }
  await linkLimit(issuer, 'balancelimits', `cardproducts/${card_product_id}`, fields)
  const ids = [first.account_id, second.account_id]
  const answers = await Promise.all(
    Array.from({ length: 16 }, (_, at) => move(ids[at % 2] ?? '', 'loadfunds', 10)),
  )
  assert.equal(answers.filter(({ status }) => status === 200).length, 10)
  const refused = answers.filter(({ status }) => status !== 200)
  assert.ok(refused.every(({ body }) => body.code === 'maximum_user_balance_limit_reached'))
})

test('a preload must fit the limits of the product', async () => {
  const { card_id } = await issuer.card(0, {})
  const { card_product_id } = (await call('GET', `/v1/cards/${card_id}`)).body
  const limit = { type: 'PER_ACCOUNT', max_amount: 10 }
  const id = await linkLimit(issuer, 'balancelimits', `cardproducts/${card_product_id}`, limit)
  const request = { card_product_id, number_of_cards: 1, currency: 'AED', status: 'DRAFT' }
  const above = [409, 'maximum_account_balance_limit_reached', id]
  const bulk = (fields: object) => call('POST', '/v1/bulkissuances', { ...request, ...fields })
  assert.deepEqual(outcome(await bulk({ amount: 10.01 })), above)
  assert.deepEqual(outcome(await bulk({ amount: 10.01, dry_run: true })), above)
  assert.deepEqual(outcome(await bulk({ amount: 10 })), MOVED)
})
