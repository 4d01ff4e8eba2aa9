/** The search for any object (D-611), by the texts that find each kind. */

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { freshBin } from '#test/support/contract/belongings.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { keeper } from '#test/support/keeper.ts'
import { openWorld } from '#test/support/world.ts'

const keep = keeper()
const world = keep(await openWorld())
const { call, ...issuer } = await openIssuer(world)
const other = await world.otherTenant()

/** The simulated network names none. */
const RRN = '633012345678'

type SearchHit = { kind: string; id: string; title: string; subtitle?: string; status?: string }

async function search(q: string, key?: string): Promise<SearchHit[]> {
  const path = `/v1/search?${new URLSearchParams({ q })}`
  const answer = await call('GET', path, undefined, key === undefined ? {} : { key })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data
}
const made = async (path: string, body: object) => {
  const answer = await call('POST', `/v1/${path}`, body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

describe('GET /search', () => {
  const ids: Record<string, string> = {}
  let last_four = ''
  before(async () => {
    const { card_id, account_id, user_id } = await issuer.card(50)
    await call('PUT', `/v1/users/${user_id}`, {
      first_name: 'Noura',
      last_name: 'Haddad',
      email: 'Noura@Example.com',
      mobile: '+971501234567',
    })
    const payment = { card_id, amount: 12.5, currency: 'AED', merchant: { name: 'Palm Books' } }
    const paid = await made('simulate/authorizations', payment)
    const currency = 'AED'
    const product = await made('cardproducts', { name: 'Gold Fleet', currency, bin: freshBin() })
    const limit = { type: 'PER_ACCOUNT', currency, max_amount: 100, description: 'Fleet balance' }
    const balance = await made('balancelimits', limit)
    const list = { name: 'Fleet countries', allow: true, country_codes: ['ARE'] }
    const countries = await made('allowedcountries', list)
    const subscription = { endpoint: 'http://127.0.0.1:9/hook', events: ['TRANSACTION'] }
    const webhook = await made('webhooks', subscription)
    const delivery = await made(`webhooks/${webhook.id}:ping`, {})
    Object.assign(ids, {
      USER: user_id,
      CARD: card_id,
      ACCOUNT: account_id,
      TRANSACTION: paid.id,
      CARD_PRODUCT: product.id,
      BALANCE_LIMIT: balance.id,
      COUNTRY_LIST: countries.id,
      WEBHOOK: webhook.id,
      DELIVERY: delivery.id,
    })
    last_four = (await call('GET', `/v1/cards/${card_id}`)).body.last_four
    await sql`update transactions set rrn = ${RRN} where id = ${paid.id}`.execute(world.db)
  })

  test('200 finds an object of every kind by its id', async () => {
    for (const [kind, id] of Object.entries(ids)) {
      const found = await search(id.toUpperCase())
      assert.deepEqual(found.map((each) => [each.kind, each.id]), [[kind, id]])
      assert.deepEqual(await search(id, other.api_key), [])
    } // biome-ignore format: one expectation a line reads best.
  })

  test('200 tells what a payment and a card are', async () => {
    const [paid] = await search(String(ids['TRANSACTION']))
    const { title, subtitle, status } = paid ?? {}
    assert.deepEqual([title, subtitle, status], ['Palm Books', 'AED 12.50', 'PENDING'])
    const [card] = await search(String(ids['CARD']))
    assert.deepEqual([card?.title, card?.subtitle], [last_four, 'Noura Haddad'])
  })

  const people = ['noura', 'haddad', 'NOURA HADDAD', 'noura@example.com', '+971 50 123 4567']
  for (const q of people) {
    test(`200 finds a user by ${q}`, async () => {
      const [found] = await search(q)
      assert.deepEqual([found?.kind, found?.id, found?.title],
        ['USER', ids['USER'], 'Noura Haddad']) // biome-ignore format: a pair of lines reads best.
      assert.deepEqual(await search(q, other.api_key), [])
    })
  }

  test('200 finds cards by their last four digits', async () => {
    const found = await search(last_four)
    assert.ok(found.some(({ kind, id }) => kind === 'CARD' && id === ids['CARD']))
    assert.deepEqual(await search(last_four, other.api_key), [])
  })

  test('200 finds products, limits and lists by a part of their names', async () => {
    const kinds = (await search('fleet')).map(({ kind }) => kind)
    assert.deepEqual(kinds.toSorted(), ['BALANCE_LIMIT', 'CARD_PRODUCT', 'COUNTRY_LIST'])
    assert.deepEqual(await search('100%'), [])
  })

  test('200 finds a transaction by its retrieval reference', async () => {
    assert.deepEqual((await search(RRN)).map(({ id }) => id), [ids['TRANSACTION']])
    assert.deepEqual(await search(RRN, other.api_key), [])
  }) // biome-ignore format: one expectation a line reads best.

  test('200 finds nothing in spaces', async () => {
    assert.deepEqual(await search('   '), [])
  })

  test('400 without a text, and with one that is too long', async () => {
    for (const query of ['', '?q=', `?q=${'x'.repeat(101)}`]) {
      const answer = await call('GET', `/v1/search${query}`)
      assert.deepEqual([answer.status, answer.body.code], [400, 'validation_failed'])
    }
  })
})
