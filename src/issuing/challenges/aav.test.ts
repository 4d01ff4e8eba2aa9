/** The AAV of a passed challenge, from its answer to the authorization (D-1091). */

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { tablesHolding } from '#test/support/inspection/holding.ts'
import { idOf, MERCHANT, openAsking, PAYMENT } from '#test/support/network/challenges.ts'
import { openWorld } from '#test/support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const own = await openAsking(world, {}, { mobile: '+971501234567' })
const { account_id } = (await own.call('GET', `/v1/cards/${own.card_id}`)).body
const money = { amount: 10_000, currency: 'AED' }
const funding = `/v1/operator/tenants/${own.tenant.id}/funding`
const operator = { key: world.operator_key }
assert.equal((await world.request('POST', funding, money, operator)).status, 200)
assert.equal((await own.call('POST', `/v1/accounts/${account_id}:loadfunds`, money)).status, 200)

async function passed(): Promise<string> {
  const id = idOf(await own.create())
  const { body, text } = await own.act(id, 'approve')
  assert.match(body.authentication_value, /^[A-Za-z0-9+/]{28}$/, text)
  return body.authentication_value
}

/** The code of a payment, and what its trace says of the values that prove it. */
async function payment(authentication_value: string | undefined, more: object = {}) {
  const claim = { three_ds: 'AUTHENTICATED', ...(authentication_value && { authentication_value }) }
  const body = { card_id: own.card_id, ...PAYMENT, ...claim, ...more }
  const { body: made, text } = await own.call('POST', '/v1/simulate/authorizations', body)
  assert.ok(made.id, text)
  const { body: trace } = await own.call('GET', `/v1/transactions/${made.id}/trace`)
  const checks: { check: string; detail: string }[] = trace.checks
  const found = checks.find(({ check }) => check === 'card verification')
  return [made.status_code, found?.detail]
}

describe('the AAV', () => {
  test('of a challenge that was passed is right for its payment', async () => {
    assert.deepEqual(await payment(await passed()), ['0000', 'AAV is right'])
  })

  test('proves one payment: a replay is 1022, also of two that come at once', async () => {
    const aav = await passed()
    const both = await Promise.all([payment(aav), payment(aav)])
    const used = ['1022', 'AAV was used before']
    assert.deepEqual(both.sort(), [['0000', 'AAV is right'], used])
    assert.deepEqual(await payment(aav), used)
  })

  test('proves another try of a payment that was declined', async () => {
    const aav = await passed()
    const allow = (ecommerce_3ds: boolean) =>
      own.call('PUT', `/v1/cardproducts/${own.card_product_id}`, {
        auth_settings: { ecommerce_3ds },
      })
    await allow(false)
    assert.equal((await payment(aav))[0], '1839')
    await allow(true)
    assert.deepEqual(await payment(aav), ['0000', 'AAV is right'])
  })

  test('of a payment that was reversed proves no other', async () => {
    const aav = await passed()
    await payment(aav)
    const { data } = (await own.call('GET', '/v1/transactions?limit=1')).body
    await own.call('POST', `/v1/simulate/authorizations/${data[0].id}:reverse`, {})
    assert.deepEqual(await payment(aav), ['1022', 'AAV was used before'])
  })

  for (const [name, change] of [
    ['amount', { amount: 12.51 }],
    ['merchant', { merchant: { ...MERCHANT, id: 'SHOP2' } }],
    ['currency', { currency: 'USD' }],
  ] as const) {
    test(`declines a payment of another ${name} with 1022`, async () => {
      const [code, detail] = await payment(await passed(), change)
      assert.deepEqual([code, detail], ['1022', 'AAV is wrong'])
    })
  }

  test('of another card, or made up, is 1022', async () => {
    const aav = await passed()
    const other = await own.call('GET', `/v1/cards/${own.card_id}`)
    const { user_id, card_product_id } = other.body
    const of = { user_id, card_product_id, account_id, card_type: 'VIRTUAL' }
    const { id: card_id } = (await own.call('POST', '/v1/cards', of)).body
    assert.deepEqual(await payment(aav, { card_id }), ['1022', 'AAV is wrong'])
    for (const made of ['AAVAA', 'A'.repeat(28)]) {
      assert.deepEqual(await payment(made), ['1022', 'AAV is wrong'])
    }
  })

  test('is late after a day', async () => {
    const aav = await passed()
    await own.call('PUT', '/v1/simulate/clock', { advance: 'PT24H' })
    assert.deepEqual(await payment(aav), ['1022', 'AAV is late'])
  })

  test('may be missing: a claim without a value passes', async () => {
    assert.deepEqual(await payment(undefined), ['0000', 'not given'])
  })

  test('is not looked at where the product has no codes', async () => {
    await own.call('PUT', `/v1/cardproducts/${own.card_product_id}`, { otp_3ds: false })
    assert.deepEqual(await payment('AAVAA'), ['0000', 'not given'])
    await own.call('PUT', `/v1/cardproducts/${own.card_product_id}`, { otp_3ds: true })
  })

  test('needs a claim of authentication: 400 without one', async () => {
    const body = { card_id: own.card_id, ...PAYMENT, authentication_value: 'A'.repeat(28) }
    const answer = await own.call('POST', '/v1/simulate/authorizations', body)
    assert.deepEqual([answer.status, answer.body.errors[0].path], [400, 'authentication_value'])
  })

  test('is answered again by a GET, and not in a list, an event, a row or a log line', async () => {
    const id = idOf(await own.create())
    const aav = (await own.act(id, 'approve')).body.authentication_value
    await payment(aav)
    const path = `/v1/challenges/${id}`
    assert.equal((await own.call('GET', path)).body.authentication_value, aav)
    assert.deepEqual(await tablesHolding(world, [aav]), [])
    const lists = [await own.call('GET', '/v1/challenges'), await own.call('GET', '/v1/events')]
    for (const text of [...lists.map((list) => list.text), ...world.logged]) {
      assert.ok(!text.includes(aav))
    }
  })

  test('is there only of a challenge that was passed', async () => {
    const id = idOf(await own.create())
    assert.equal(
      (await own.call('GET', `/v1/challenges/${id}`)).body.authentication_value,
      undefined,
    )
    const declined = await own.act(id, 'decline')
    assert.equal(declined.body.authentication_value, undefined)
  })
})
