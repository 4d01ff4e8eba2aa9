import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assertNumbersFree, closeGate } from '#test/support/gate.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { openWorld } from '#test/support/world.ts'
import { chainOf, findCard } from './cards.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const issuer = await openIssuer(world)
const { request } = world

const read = async (id: string) => (await request('GET', `/v1/cards/${id}`)).body
const terminate = (id: string, status_reason_code: string) =>
  request('PUT', `/v1/cards/${id}:statuschange`, { status: 'TERMINATED', status_reason_code })

async function replace(reference_card_id: string) {
  const { user_id, card_product_id, card_type } = await read(reference_card_id)
  const input = { user_id, card_product_id, card_type, reference_card_id }
  return request('POST', '/v1/cards', input)
}
async function replaced(id: string, reason = 'T1') {
  await terminate(id, reason)
  const { status, body, text } = await replace(id)
  assert.equal(status, 200, text)
  return body
}

test('a card is replaced repeatedly, and each replacement has its details', async () => {
  const { card_id, account_id } = await issuer.card(50, { num_of_cards_per_user: 1 })
  const settings = { atm: false, max_amount: 30 }
  await request('PUT', `/v1/cards/${card_id}/authsettings`, settings)
  const address = { city: 'Dubai', country: 'ARE' }
  const details = { name_on_card: 'A KHAN', delivery_method: 'MAIL', shipping_details: { address } }
  await request('PUT', `/v1/cards/${card_id}`, details)

  const cards = [await read(card_id)]
  for (const reason of ['T1', 'T2', 'T3']) {
    cards.push(await replaced(cards.at(-1).id, reason))
  }
  for (const [at, card] of cards.entries()) {
    assert.partialDeepStrictEqual(card, { ...details, account_id, auth_settings: settings })
    assert.equal(card.reference_card_id, cards[at - 1]?.id)
    assert.equal((await read(card.id)).replaced_by_card_id, cards[at + 1]?.id)
  }
  const reveal = async ({ id }: { id: string }) =>
    (await request('GET', `/v1/cards/${id}:reveal`)).body.card_number
  assert.equal(new Set(await Promise.all(cards.map(reveal))).size, 4)

  const ctx = await world.ctx()
  for (const { id } of cards) {
    const chain = await chainOf(ctx, await findCard(ctx, id))
    assert.ok(chain.every(({ chain_id }) => chain_id === card_id))
    assert.deepEqual(
      chain.map((one) => one.id),
      cards.map((one) => one.id),
    )
  }
  const pay = { card_id: cards.at(-1).id, amount: 30, currency: 'AED' }
  const { body } = await request('POST', '/v1/simulate/authorizations', pay)
  assert.partialDeepStrictEqual(body, { status_code: '0000', account_id })
})

test('only the last of a chain is replaced, and the chain of another card is its own', async () => {
  const { card_id } = await issuer.card()
  const second = await replaced(card_id)
  const third = await replaced(second.id)
  for (const id of [card_id, second.id]) {
    assert.equal((await replace(id)).body.code, 'card_already_replaced')
  }
  assert.equal((await replace(third.id)).body.code, 'card_not_terminated')
  const ctx = await world.ctx()
  const other = await issuer.card()
  assert.equal((await chainOf(ctx, await findCard(ctx, other.card_id))).length, 1)
  assert.equal((await chainOf(ctx, await findCard(ctx, third.id))).length, 3)
})

test('of 64 concurrent replacements of one card one succeeds, at every link of the chain', async () => {
  let { card_id: id } = await issuer.card()
  for (let link = 0; link < 3; link += 1) {
    await terminate(id, 'T0')
    const last = id
    const answers = await Promise.all(Array.from({ length: 64 }, () => replace(last)))
    const issued = answers.filter(({ status }) => status === 200)
    const rejected = answers.filter(({ body }) => body.code === 'card_already_replaced')
    assert.deepEqual([issued.length, rejected.length], [1, 63])
    id = issued[0]?.body.id
  }
  const ctx = await world.ctx()
  assert.equal((await chainOf(ctx, await findCard(ctx, id))).length, 4)
})

test('a replacement counts once among the cards that a user may have', async () => {
  const { card_id } = await issuer.card(0, { num_of_cards_per_user: 1 })
  const { user_id, card_product_id } = await read(card_id)
  const another = { user_id, card_product_id, card_type: 'VIRTUAL' }
  const next = await replaced(card_id)
  const rejected = await request('POST', '/v1/cards', another)
  assert.equal(rejected.body.code, 'cards_per_user_reached')
  await terminate(next.id, 'T0')
  assert.equal((await request('POST', '/v1/cards', another)).status, 200)
  assert.equal((await replace(next.id)).body.code, 'cards_per_user_reached')
})

test('a replacement that waits for its account leaves the numbers of the product free', async () => {
  const { card_id, account_id } = await issuer.card()
  await terminate(card_id, 'T1')
  const { card_product_id } = await read(card_id)
  const gate = await closeGate(world.url, { tenant_id: world.tenant.id, id: account_id })
  const replacing = replace(card_id)
  try {
    await gate.untilBlocked()
    await assertNumbersFree(world, card_product_id, 'CARD')
  } finally {
    await gate.open()
    await replacing
  }
})
