/**
 * Backtests by API: controls are proposed, and payments are decided again and reported (D-482 to
 * D-484).
 */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { runBacktests } from '#test/support/backtests.ts'
import { checksumsOf } from '#test/support/inspection/checksums.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { linkLimit } from '#test/support/limits.ts'
import { openWorld } from '#test/support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const issuer = await openIssuer(world)
const { call, pay } = issuer
const other = await world.otherTenant()

/** The last hour. */
async function period() {
  const { now } = await world.ctx()
  return { from: new Date(now.getTime() - 3_600_000), to: now }
}
const start = async (body: object) =>
  call('POST', '/v1/controls:backtest', { ...(await period()), ...body })

async function finish(body: object) {
  const started = await start(body)
  assert.equal(started.status, 202, started.text)
  await runBacktests(world)
  const { body: ended } = await call('GET', `/v1/controls/backtests/${started.body.id}`)
  assert.deepEqual([ended.status, ended.progress.percent], ['COMPLETED', 100])
  return ended
}
const MCC = { allow: false, mccs: ['7995'] }
const BETTING = { merchant: { mcc: '7995' } }

describe('a backtest', () => {
  test('of a velocity limit finds what the limit would have declined', async () => {
    const { card_id } = await issuer.card(200)
    const limit = { type: 'CUMULATIVE', currency: 'AED', max_amount: 50, period: 'DAILY' }
    await pay(card_id, 40)
    const second = await pay(card_id, 15)
    await call('POST', `/v1/simulate/authorizations/${second.id}:reverse`, {})
    const third = await pay(card_id, 20)
    await pay(card_id, 10)
    const ended = await finish({ card_id, velocity_limits: [limit] })
    assert.deepEqual(ended.result, {
      evaluated: 4,
      unchanged: 2,
      would_approve: [],
      would_decline_otherwise: [],
      would_decline: [
        {
          status_code: '1897',
          currency: 'AED',
          number: 2,
          amount: 35,
          examples: [third.id, second.id],
        },
      ],
      not_evaluated: [],
    })
    assert.deepEqual([ended.card_id, ended.progress.read], [card_id, 4])
    assert.deepEqual(ended.proposal, { velocity_limits: [limit] })
  })

  test('finds by the same code what the limit declines once it is linked', async () => {
    const [free, live] = await Promise.all([issuer.card(200), issuer.card(200)])
    const limit = { type: 'PER_TRANSACTION', currency: 'AED', max_amount: 20 }
    await linkLimit(issuer, 'velocitylimits', `cards/${live.card_id}`, limit)
    const declined = { number: 0, amount: 0 }
    for (const amount of [20, 21, 5, 40]) {
      await pay(free.card_id, amount)
      if ((await pay(live.card_id, amount)).status_code !== '1896') continue
      declined.number += 1
      declined.amount += amount
    }
    const { result } = await finish({ card_id: free.card_id, velocity_limits: [limit] })
    assert.partialDeepStrictEqual(result.would_decline, [{ status_code: '1896', ...declined }])
  })

  test('of settings and lists finds what would be declined and what approved', async () => {
    const { card_id } = await issuer.card(200)
    const list = { name: 'Betting', ...MCC }
    const { id } = (await call('POST', '/v1/allowedmccs', list)).body
    await pay(card_id, 1, BETTING)
    await call('PUT', `/v1/cards/${card_id}/authsettings`, { allowed_mccs_id: id })
    const blocked = await pay(card_id, 2, BETTING)
    assert.equal(blocked.status_code, '1879')
    await pay(card_id, 1000, BETTING)
    await pay(card_id, 3)
    const without = await finish({ card_id, allowed_mccs_id: null })
    assert.partialDeepStrictEqual(without.result, {
      evaluated: 4,
      unchanged: 2,
      would_decline: [],
      would_approve: [{ former_status_code: '1879', number: 1, amount: 2, examples: [blocked.id] }],
      would_decline_otherwise: [{ status_code: '1016', former_status_code: '1879', number: 1 }],
    })
    const within = { ...MCC, mccs: ['5411'], allow: true }
    const strict = await finish({ card_id, allowed_mccs: within })
    assert.partialDeepStrictEqual(strict.result.would_decline, [{ status_code: '1879', number: 2 }])
    const settings = await finish({ card_id, auth_settings: { max_amount: 2.5 } })
    assert.partialDeepStrictEqual(settings.result.would_decline, [
      { status_code: '1883', number: 1, amount: 3 },
    ])
  })

  test('of a product finds only the decisions of its cards, by the codes of the product', async () => {
    const [mine, others] = await Promise.all([issuer.card(50, {}), issuer.card(50)])
    await pay(mine.card_id, 1, BETTING)
    await pay(others.card_id, 1, BETTING)
    const { card_product_id } = (await call('GET', `/v1/cards/${mine.card_id}`)).body
    const { result } = await finish({ card_product_id, allowed_mccs: MCC })
    assert.partialDeepStrictEqual(result.would_decline, [{ status_code: '1859', number: 1 }])
    const switches = { ecommerce_without_cvv2: false }
    const noCvv2 = await finish({ card_product_id, auth_settings: switches })
    assert.partialDeepStrictEqual(noCvv2.result.would_decline, [{ status_code: '1840' }])
  })

  test('of a balance limit leaves with the account what it would have declined', async () => {
    const { card_id, account_id } = await issuer.card(100)
    await pay(card_id, 50)
    await pay(card_id, 30)
    await pay(card_id, 15)
    const limit = { type: 'PER_ACCOUNT', currency: 'AED', min_amount: 30 }
    const { result } = await finish({ account_id, balance_limits: [limit] })
    // Without the second there are 50.00, of which the third leaves 35.00.
    assert.partialDeepStrictEqual(result.would_decline, [{ status_code: '1876', number: 1 }])
  })

  test('writes nothing but itself and the record of its call', async () => {
    const state = async () => {
      const sums = Object.entries(await checksumsOf(world.db, world.tenant.id))
      // The messages of the payments before are logged a little later.
      return sums.filter(([name]) => !/^public\.(idempotency_keys|audit_|wire_messages)/.test(name))
    }
    const before = await state()
    const { id } = await finish({ allowed_mccs: MCC })
    await world.db.deleteFrom('backtests').where('id', '=', id).execute()
    assert.deepEqual(await state(), before)
  })
})

describe('POST /v1/controls:backtest', () => {
  const pathsOf = async (body: object) => {
    const { status, body: fault } = await start(body)
    assert.equal(status, 400)
    return fault.errors.map(({ path }: { path: string }) => path)
  }

  test('400 names every fault of what is proposed', async () => {
    const { card_id, account_id } = await issuer.card()
    assert.deepEqual(await pathsOf({}), [''])
    const faulty = {
      card_id,
      account_id,
      allowed_countries: { country_codes: ['XX'] },
      velocity_limits: [{ type: 'CUMULATIVE', currency: 'AED', max_amount: 1 }],
      auth_settings: { max_amount: 1.001 },
    }
    assert.deepEqual(await pathsOf(faulty), [
      ...['account_id', 'auth_settings.max_amount', 'allowed_countries.country_codes.0'],
      'velocity_limits.0.period',
    ])
    const mccs = { allowed_mccs: MCC }
    assert.deepEqual(await pathsOf({ ...mccs, card_id: randomUUID() }), ['card_id'])
    assert.deepEqual(await pathsOf({ allowed_mccs_id: randomUUID() }), ['allowed_mccs_id'])
    assert.deepEqual(await pathsOf({ ...mccs, allowed_mccs_id: null }), ['allowed_mccs_id'])
    assert.deepEqual(await pathsOf({ ...mccs, account_id }), ['allowed_mccs'])
    assert.deepEqual(await pathsOf({ auth_settings: { atm: false } }), ['auth_settings'])
    const [from, to] = ['2026-01-01T00:00:00Z', '2026-04-03T00:00:01Z']
    assert.deepEqual(await pathsOf({ ...mccs, from, to }), ['to'])
    assert.deepEqual(await pathsOf({ ...mccs, from: to, to: from }), ['to'])
  })

  test('ends a period of the future with the present', async () => {
    const { body } = await start({ allowed_mccs: MCC, to: '2999-01-01T00:00:00Z' })
    assert.ok(new Date(body.to) <= (await world.ctx()).now)
    await runBacktests(world)
  })

  test('begins with the first year where a window reaches before it', async () => {
    const { api_key: key } = await world.otherTenant()
    await call('PUT', '/v1/tenantsettings', { time_zone: 'America/New_York' }, { key })
    const limit = { type: 'CUMULATIVE', currency: 'AED', max_amount: 50, period: 'YEARLY' }
    const [from, to] = ['0001-01-01T02:00:00Z', '0001-01-02T00:00:00Z']
    const body = { from, to, velocity_limits: [limit] }
    const started = await call('POST', '/v1/controls:backtest', body, { key })
    assert.deepEqual([started.status, started.body.counts_from], [202, '0001-01-01T00:00:00.000Z'])
  })

  test('409 while five are running, until one is cancelled', async () => {
    const body = { allowed_mccs: MCC }
    const ids: string[] = []
    for (let at = 0; at < 5; at += 1) ids.push((await start(body)).body.id)
    assert.equal((await start(body)).body.code, 'backtests_running')
    assert.equal((await start({ ...body, id: ids[0] })).body.code, 'id_taken')
    const path = `/v1/controls/backtests/${ids[0]}:cancel`
    const cancelled = await call('POST', path)
    assert.deepEqual([cancelled.status, cancelled.body.status], [200, 'CANCELLED'])
    assert.equal((await call('POST', path)).body.completed, cancelled.body.completed)
    assert.equal((await start(body)).status, 202)
    await runBacktests(world)
    const [, second] = ids
    const late = await call('POST', `/v1/controls/backtests/${second}:cancel`)
    assert.deepEqual([late.status, late.body.code], [409, 'backtest_ended'])
    const { body: first } = await call('GET', `/v1/controls/backtests/${ids[0]}`)
    assert.deepEqual([first.status, first.result.evaluated], ['CANCELLED', 0])
  })

  test('404 with a backtest of another tenant', async () => {
    const { id } = (await start({ allowed_mccs: MCC })).body
    const options = { key: other.api_key }
    const path = `/v1/controls/backtests/${id}`
    assert.equal((await call('GET', path, undefined, options)).status, 404)
    assert.equal((await call('POST', `${path}:cancel`, undefined, options)).status, 404)
    const { data } = (await call('GET', '/v1/controls/backtests', undefined, options)).body
    assert.deepEqual(data, [])
  })
})
