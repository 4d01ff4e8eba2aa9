/** AAVs whose key is in a security module, and those of keys that are moved to one (D-1372). */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Engine } from '#issuing/authorization/authorization.ts'
import { openDatabase } from '#kit/db/database.ts'
import { Secret } from '#lib/secret.ts'
import { startSimulator } from '#sandbox/hsm/simulator.ts'
import { readConfig } from '#src/config/config.ts'
import { openCustody } from '#src/program/modes/custody.ts'
import { moveKeys } from '#src/program/moving_keys.ts'
import { purchase } from '#test/support/desk.ts'
import { keeper } from '#test/support/keeper.ts'
import { idOf, MERCHANT, openAsking, PAYMENT } from '#test/support/network/challenges.ts'
import { moduleSettings } from '#test/support/services/custody.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { findChallenge } from './challenges.ts'

const keep = keeper()
const simulator = keep(await startSimulator({ port: 0, header: 4, delay_ms: 0 }))

/** A card with funds that is asked about its payments. */
async function openCard(world: World) {
  const own = await openAsking(world, {}, { mobile: '+971501234567' })
  const { body: card } = await own.call('GET', `/v1/cards/${own.card_id}`)
  const money = { amount: 10_000, currency: 'AED' }
  const funding = `/v1/operator/tenants/${own.tenant.id}/funding`
  await world.request('POST', funding, money, { key: world.operator_key })
  await own.call('POST', `/v1/accounts/${card.account_id}:loadfunds`, money)
  async function passed() {
    const id = idOf(await own.create())
    const { body, text } = await own.act(id, 'approve')
    assert.match(body.authentication_value, /^[A-Za-z0-9+/]{28}$/, text)
    return { id, aav: String(body.authentication_value) }
  }
  return { own, passed }
}
const versionOf = (aav: string) => Buffer.from(aav, 'base64').readUInt8()

describe('with the keys in a module the AAV', async () => {
  const world = keep(await openWorld({ env: moduleSettings(simulator.port) }))
  const { own, passed } = await openCard(world)

  async function payment(authentication_value: string, more: object = {}) {
    const claim = { three_ds: 'AUTHENTICATED', authentication_value }
    const body = { card_id: own.card_id, ...PAYMENT, ...claim, ...more }
    const { body: made, text } = await own.call('POST', '/v1/simulate/authorizations', body)
    assert.ok(made.id, text)
    const { body: trace } = await own.call('GET', `/v1/transactions/${made.id}/trace`)
    const checks: { check: string; detail: string }[] = trace.checks
    return [made.status_code, checks.find(({ check }) => check === 'card verification')?.detail]
  }

  test('is made and verified by it, for one payment', async () => {
    const { aav } = await passed()
    assert.equal(versionOf(aav), 2)
    assert.deepEqual(await payment(aav), ['0000', 'AAV is right'])
    assert.deepEqual(await payment(aav), ['1022', 'AAV was used before'])
  })

  test('of another amount, merchant or currency, or made in software, is 1022', async () => {
    const { aav } = await passed()
    for (const change of [
      { amount: 12.51 },
      { merchant: { ...MERCHANT, id: 'SHOP2' } },
      { currency: 'USD' },
    ]) {
      assert.deepEqual(await payment(aav, change), ['1022', 'AAV is wrong'])
    }
    const bytes = Buffer.from(aav, 'base64')
    bytes.writeUInt8(1)
    assert.deepEqual(await payment(bytes.toString('base64')), ['1022', 'AAV is wrong'])
  })

  test('is late after a day', async () => {
    const { aav } = await passed()
    await own.call('PUT', '/v1/simulate/clock', { advance: 'PT24H' })
    assert.deepEqual(await payment(aav), ['1022', 'AAV is late'])
  })
})

test('AAVs of before and after a move are right, and the key of software is given up', async () => {
  const world = keep(await openWorld({ env: { HSM_ADDRESS: '' } }))
  const { own, passed } = await openCard(world)
  const before = await passed()
  assert.equal(versionOf(before.aav), 1)
  const settings = { DATA_DIR: world.config.data_dir, ...moduleSettings(simulator.port) }
  const config = readConfig(settings)
  const { db, pool, batches } = keep(openDatabase(world.url, 4))
  const { keys } = world.services
  const { log } = world
  await pool.query("insert into installation (mode) values ('sandbox')")
  const move = () => moveKeys({ config, db, pool, keys, log, now: new Date() })
  await move()
  assert.equal((await move()).custody, 'MODULE')
  assert.equal((await move()).moved, 0)

  const { custody, close } = await openCustody(config, log, new Date(), true)
  keep({ close: async () => close() })
  const ctx = { ...(await world.ctx(own.tenant.id)), custody }
  const { authentication_value: after = '' } = await findChallenge(ctx, before.id)
  assert.equal(versionOf(after), 2)
  const engine = new Engine({ ...world.services, custody, db: batches })
  const pay = async (aav: string) => {
    const claim = { three_ds: 'AUTHENTICATED', aav: new Secret(aav) } as const
    const request = purchase({ card_id: own.card_id }, 1250n, claim)
    return (await engine.submit(own.tenant.id, { request })).status_code
  }
  assert.deepEqual([await pay(before.aav), await pay(after)], ['0000', '0000'])
  const wrong = Buffer.from(after, 'base64')
  wrong.writeUInt8(wrong.readUInt8(10) ^ 1, 10)
  assert.equal(await pay(wrong.toString('base64')), '1022')
})
