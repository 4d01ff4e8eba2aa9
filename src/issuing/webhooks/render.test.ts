import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '#test/support/services/receiver.ts'
import { openWorld, type World } from '#test/support/world.ts'

let world: World
before(async () => {
  world = await openWorld()
})
after(() => world[Symbol.asyncDispose]())

async function fundedCard(): Promise<string> {
  const user = await world.request('POST', '/v1/users', { first_name: 'Ada', last_name: 'L' })
  const product = await world.request('POST', '/v1/cardproducts', {
    name: 'render',
    currency: 'AED',
    bin: '40000013',
    initial_status_of_virtual_card: 'ACTIVE',
  })
  const card = await world.request('POST', '/v1/cards', {
    user_id: user.body.id,
    card_type: 'VIRTUAL',
    card_product_id: product.body.id,
  })
  const funding = { currency: 'AED', amount: 1000 }
  const path = `/v1/operator/tenants/${world.tenant.id}/funding`
  await world.request('POST', path, funding, { key: world.operator_key })
  await world.request('POST', `/v1/accounts/${card.body.account_id}:loadfunds`, funding)
  return card.body.id
}

test('each event of a transaction contains it as it was then, whatever came later', async () => {
  const card_id = await fundedCard()
  const purchase = { card_id, amount: 100, currency: 'AED' }
  const made = await world.request('POST', '/v1/simulate/authorizations', purchase)
  const path = `/v1/simulate/authorizations/${made.body.id}`
  const cleared = await world.request('POST', `${path}:clear`, { amount: 40 })
  const reversed = await world.request('POST', `${path}:reverse`)

  // The feed waits for the oldest transaction of the whole server, which may be another test's.
  const reported = await until('the feed lists three', async () => {
    const { body } = await world.request('GET', '/v1/events?limit=200')
    const entries = body.data.filter(({ event }: { event: string }) => event === 'TRANSACTION')
    return entries.length === 3 && entries
  })
  assert.deepEqual(
    reported.map(({ card_transaction }: { card_transaction: object }) => card_transaction),
    [made.body, cleared.body, reversed.body],
  )
})
