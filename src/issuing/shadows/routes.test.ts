/** Shadow reports by API: findings are counted and shown (D-480, D-481). */

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { openIssuer } from '#test/support/issuer.ts'
import { linkLimit } from '#test/support/limits.ts'
import { openWorld } from '#test/support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const issuer = await openIssuer(world)
const { call, pay } = issuer
const other = await world.otherTenant()

const report = async (path: string) => (await call('GET', `/v1/${path}:shadow`)).body
const AED = { currency: 'AED' }

describe('a velocity limit in SHADOW', () => {
  const day = { type: 'CUMULATIVE', max_amount: 50, period: 'DAILY' }

  test('counts as if in force, and the report has what it would have stopped', async () => {
    const { card_id } = await issuer.card(60)
    const owner = `cards/${card_id}`
    const fields = { ...day, mode: 'SHADOW' }
    const id = await linkLimit(issuer, 'velocitylimits', owner, fields)
    assert.equal((await pay(card_id, 40)).status_code, '0000')
    const { id: stopped, status_code } = await pay(card_id, 15)
    assert.equal(status_code, '0000')
    assert.equal((await pay(card_id, 20)).status_code, '1016')
    const { codes, days, examples, mode, to } = await report(`velocitylimits/${id}`)
    const sums = { number: 1, amount: 15, declined_number: 1, declined_amount: 20 }
    const code = { status_code: '1897', status_description: codes[0].status_description }
    assert.deepEqual(codes, [{ ...code, ...AED, ...sums }])
    assert.deepEqual(days, [{ day: to, ...code, ...AED, ...sums }])
    assert.deepEqual(examples, [{ transaction_id: stopped, status_code: '1897' }])
    assert.equal(mode, 'SHADOW')
    const { checks } = (await call('GET', `/v1/transactions/${stopped}/trace`)).body
    const shadow = checks.filter(({ verdict }: { verdict: string }) => verdict === 'would_refuse')
    assert.partialDeepStrictEqual(shadow, [{ check: 'velocity', control_id: id, decisive: false }])
  })

  test('switched on declines the next authorization by what it has counted', async () => {
    const { card_id } = await issuer.card(200)
    const fields = { ...day, mode: 'SHADOW' }
    const id = await linkLimit(issuer, 'velocitylimits', `cards/${card_id}`, fields)
    assert.equal((await pay(card_id, 45)).status_code, '0000')
    const changed = await call('PUT', `/v1/velocitylimits/${id}`, { mode: 'ENFORCED' })
    assert.deepEqual([changed.status, changed.body.mode], [200, 'ENFORCED'])
    assert.equal((await pay(card_id, 5.01)).status_code, '1897')
    await call('PUT', `/v1/velocitylimits/${id}`, { mode: 'SHADOW' })
    assert.equal((await pay(card_id, 5.01)).status_code, '0000')
    const { codes } = await report(`velocitylimits/${id}`)
    assert.equal(codes[0].number, 1)
  })
})

test('a list in SHADOW declines nothing, switched on it does', async () => {
  const list = { name: 'Gulf', country_codes: ['SA'], mode: 'SHADOW' }
  const { id } = (await call('POST', '/v1/allowedcountries', list)).body
  const { card_id } = await issuer.card(100)
  const named = { allowed_countries_id: id }
  await call('PUT', `/v1/cards/${card_id}/authsettings`, named)
  const shop = { merchant: { country: 'ARE' } }
  assert.equal((await pay(card_id, 1, shop)).status_code, '0000')
  assert.equal((await report(`allowedcountries/${id}`)).codes[0].status_code, '1880')
  await call('PUT', `/v1/allowedcountries/${id}`, { mode: 'ENFORCED' })
  assert.equal((await pay(card_id, 1, shop)).status_code, '1880')
})

test('a balance limit in SHADOW permits loads and payments', async () => {
  const { card_id, account_id } = await issuer.card(100)
  const fields = { type: 'PER_ACCOUNT', min_amount: 50, max_amount: 110, mode: 'SHADOW' }
  const id = await linkLimit(issuer, 'balancelimits', `accounts/${account_id}`, fields)
  const load = { currency: 'AED', amount: 20 }
  assert.equal((await call('POST', `/v1/accounts/${account_id}:loadfunds`, load)).status, 200)
  assert.equal((await pay(card_id, 80)).status_code, '0000')
  assert.partialDeepStrictEqual((await report(`balancelimits/${id}`)).codes, [
    { status_code: '1876', number: 1, amount: 80 },
  ])
})

describe('a shadow report', () => {
  test('is empty where nothing was found, 400 for a wrong period, 404 elsewhere', async () => {
    const list = { name: 'Food', mccs: ['5411'] }
    const { id } = (await call('POST', '/v1/allowedmccs', list)).body
    const path = `/v1/allowedmccs/${id}:shadow`
    assert.partialDeepStrictEqual((await call('GET', path)).body, {
      id,
      mode: 'ENFORCED',
      codes: [],
      days: [],
      examples: [],
    })
    const { from, to } = (await call('GET', `${path}?to=0001-01-02`)).body
    assert.deepEqual([from, to], ['0001-01-01', '0001-01-02'])
    for (const query of [
      'from=2026-03-02&to=2026-03-01',
      'from=2025-01-01&to=2025-04-03',
      'to=x',
    ]) {
      assert.equal((await call('GET', `${path}?${query}`)).status, 400, query)
    }
    const elsewhere = await call('GET', path, undefined, { key: other.api_key })
    assert.equal(elsewhere.status, 404)
  })
})
