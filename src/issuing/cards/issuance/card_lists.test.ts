/** Cards that are asked for at one time are issued in one transaction, each as if it were alone. */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { eventsOf } from '#events/outbox.ts'
import { watchStatements } from '#test/support/inspection/statements.ts'
import { openWorld } from '#test/support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const { request } = world

let bins = 530_000
const makeProduct = async (fields: object = {}) => {
  const body = { name: 'Travel', currency: 'AED', bin: String(bins++), ...fields }
  return (await request('POST', '/v1/cardproducts', body)).body
}
const makeUser = async () =>
  (await request('POST', '/v1/users', { first_name: 'Aisha', last_name: 'Khan' })).body
const create = (user_id: string, card_product_id: string, headers = {}) =>
  request('POST', '/v1/cards', { user_id, card_product_id, card_type: 'VIRTUAL' }, { headers })

test('32 concurrent cards of two users share transactions; each user has one default account', async () => {
  const product = await makeProduct()
  const users = [await makeUser(), await makeUser()]
  using statements = watchStatements(world.url)
  const answers = await Promise.all(
    Array.from({ length: 32 }, (_, at) => create(users[at % 2].id, product.id)),
  )
  const { texts } = statements.take()
  assert.ok(texts.filter((text) => text === 'commit').length <= 12, texts.join('\n'))
  assert.equal(new Set(answers.map(({ body }) => body.account_id)).size, 32)
  const ctx = await world.ctx()
  for (const [at, { status, body }] of answers.entries()) {
    assert.deepEqual([status, body.user_id], [200, users[at % 2].id])
    const { body: read } = await request('GET', `/v1/cards/${body.id}`)
    assert.deepEqual(read, body)
    assert.deepEqual(await eventsOf(ctx, body.id), ['SUCCESSFULLY_CREATED'])
    assert.deepEqual(await eventsOf(ctx, body.account_id), ['SUCCESSFULLY_CREATED'])
  }
  for (const { id } of users) {
    const { body } = await request('GET', `/v1/accounts?user_id=${id}`)
    const defaults = body.data.filter((one: { default_account: boolean }) => one.default_account)
    assert.equal(defaults.length, 1)
  }
})

test('a fault of one card is its own', async () => {
  const [product, full] = [await makeProduct(), await makeProduct({ num_of_cards_per_user: 1 })]
  const user = await makeUser()
  const answers = await Promise.all([
    create(user.id, product.id),
    create(randomUUID(), product.id),
    create(user.id, randomUUID()),
    create(user.id, full.id),
    create(user.id, full.id),
    create(user.id, product.id),
  ])
  const codes = answers.map(({ status, body }) => [status, body.code])
  assert.deepEqual(codes.slice(0, 3), [
    [200, undefined],
    [400, 'validation_failed'],
    [400, 'validation_failed'],
  ])
  assert.deepEqual(codes.slice(3, 5).sort(), [
    [200, undefined],
    [409, 'cards_per_user_reached'],
  ])
  assert.equal(answers[5]?.status, 200)
})

test('of concurrent cards as many are issued as the range has numbers', async () => {
  const product = await makeProduct({ pan_range: { start_range: 0, end_range: 4 } })
  const user = await makeUser()
  const answers = await Promise.all(Array.from({ length: 12 }, () => create(user.id, product.id)))
  assert.equal(answers.filter(({ status }) => status === 200).length, 5)
  for (const { status, body } of answers) {
    if (status !== 200) assert.deepEqual([status, body.code], [409, 'pan_range_exhausted'])
  }
})

test('copies under one key make one card', async () => {
  const [product, user] = [await makeProduct(), await makeUser()]
  const headers = { 'x-bezant-idempotency-key': randomUUID() }
  const copies = Array.from({ length: 6 }, () => create(user.id, product.id, headers))
  const answers = await Promise.all(copies)
  const done = answers.filter(({ status }) => status === 200)
  assert.equal(new Set(done.map(({ text }) => text)).size, 1)
  for (const { status, body } of answers) {
    if (status !== 200) assert.deepEqual([status, body.code], [409, 'idempotency_key_in_use'])
  }
  const { body } = await request('GET', `/v1/cards?user_id=${user.id}`)
  assert.equal(body.data.length, 1)
})

test('cards of a product that counts and charges them share transactions', async () => {
  const charges = [{ type: 'ISSUING', amount: 5, description: 'Card fee' }]
  const product = await makeProduct({ num_of_cards_per_user: 2, charges })
  const users = await Promise.all(Array.from({ length: 16 }, makeUser))
  using statements = watchStatements(world.url)
  const answers = await Promise.all(
    Array.from({ length: 32 }, (_, at) => create(users[at % 16].id, product.id)),
  )
  const writes = statements.take().texts.filter((text) => text.startsWith('insert into cards'))
  assert.ok(writes.length <= 16, `${writes.length} writes`)
  for (const { status, body } of answers) {
    assert.equal(status, 200)
    const { body: charged } = await request('GET', `/v1/accounts/${body.account_id}/charges`)
    assert.deepEqual(
      charged.data.map(({ type }: { type: string }) => type),
      ['ISSUING'],
    )
  }
})

test('of concurrent cards of three users each gets as many as it may have', async () => {
  const product = await makeProduct({ num_of_cards_per_user: 2 })
  const users = await Promise.all(Array.from({ length: 3 }, makeUser))
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, at) => create(users[at % 3].id, product.id)),
  )
  for (const { id } of users) {
    const { body } = await request('GET', `/v1/cards?user_id=${id}`)
    assert.equal(body.data.length, 2)
  }
  for (const { status, body } of answers) {
    if (status !== 200) assert.deepEqual([status, body.code], [409, 'cards_per_user_reached'])
  }
})
