/**
 * Keys rotate under load: the program serves as a process of its own while the
 * command runs as another, is killed in the middle and run again. No request fails, everything is
 * under the new keys, the old ones are removed, and the program continues with what is left.
 */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { afterEach, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { keysInUse } from '#test/support/inspection/sealed_rows.ts'
import { keeper } from '#test/support/keeper.ts'
import { openKillable } from '#test/support/processes/killable.ts'
import { type Launched, launch } from '#test/support/processes/process.ts'
import { openReceiver, until as untilWithin } from '#test/support/services/receiver.ts'

const deep = process.env['TEST_DEEP'] === '1'
const CARDS = deep ? 5_000 : 20
const CLIENTS = deep ? 32 : 8
const PASSWORD = 'basic-password'
const RATE = { rate_limit_per_second: 100_000, rate_limit_burst: 100_000 }

const keep = keeper()
const platform = keep(await openKillable())
const receiver = keep(await openReceiver())
const { tenant, operator_key } = platform.sandbox

/** Long enough for a machine that does eight other things. */
const PATIENCE_MS = 120_000
const until: typeof untilWithin = (what, condition) => untilWithin(what, condition, PATIENCE_MS)

/** A machine with other work may let a request wait too long for a connection: then it is 503. */
const TRIES = 5

async function made(method: string, url: string, body?: object, apikey = tenant.api_key) {
  const text = body && JSON.stringify(body)
  const ask = () => platform.clients.ask({ method, url, headers: { apikey }, body: text })
  let reply = await ask()
  for (let tries = 1; reply.status === 503 && tries < TRIES; tries++) reply = await ask()
  assert.equal(reply.status, 200, `${method} ${url}: ${reply.text}`)
  return JSON.parse(reply.text)
}

type Card = { id: string; account_id: string; number: string; cvv2: string; expiry_date: string }
const cards: Card[] = []
let webhook = ''

before(async () => {
  await made('PUT', `/v1/operator/tenants/${tenant.id}/settings`, RATE, operator_key)
  await made('PUT', `/v1/cardproducts/${tenant.card_product_id}`, {
    initial_status_of_virtual_card: 'ACTIVE',
  })
  const config = { basic_auth_username: 'shop', basic_auth_password: PASSWORD }
  const subscription = { endpoint: receiver.url, events: ['TRANSACTION'], config }
  webhook = (await made('POST', '/v1/webhooks', subscription)).id
  const { id: user_id } = await made('POST', '/v1/users', { first_name: 'Layla' })
  const { card_product_id } = tenant
  const issue = { user_id, card_product_id, card_type: 'VIRTUAL' }
  while (cards.length < CARDS) {
    const { id, account_id } = await made('POST', '/v1/cards', issue)
    const { card_number, cvv2, expiry_date } = await made('GET', `/v1/cards/${id}:reveal`)
    cards.push({ id, account_id, number: card_number, cvv2, expiry_date })
  }
  const [{ account_id } = { account_id: '' }] = cards
  await made('POST', `/v1/accounts/${account_id}:loadfunds`, { currency: 'AED', amount: 10_000 })
})

/** Actions of clients all the while; each throws if an answer is not the right one. */
const actions: (() => Promise<void>)[] = [
  async () => {
    const card = cards[Math.floor(Math.random() * cards.length)]
    const { card_number, cvv2 } = await made('GET', `/v1/cards/${card?.id}:reveal`)
    assert.deepEqual({ card_number, cvv2 }, { card_number: card?.number, cvv2: card?.cvv2 })
  },
  async () => {
    const [card] = cards
    const { id: card_id, cvv2, expiry_date: expiry } = card ?? {}
    const purchase = { card_id, cvv2, expiry, amount: 0.01, currency: 'AED' }
    const reported = await made('POST', '/v1/simulate/authorizations', purchase)
    assert.equal(reported.status_code, '0000')
  },
  async () => {
    const { secret } = await made('POST', `/v1/webhooks/${webhook}:rotateSecret`)
    assert.match(secret, /^whsec_/)
  },
  async () => {
    const { id: user_id } = await made('POST', '/v1/users', { first_name: 'Omar' })
    const { card_product_id } = tenant
    const { id } = await made('POST', '/v1/cards', {
      user_id,
      card_product_id,
      card_type: 'VIRTUAL',
    })
    await made('GET', `/v1/cards/${id}:reveal`)
  },
]

/** However a test ends, its clients do. */
const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

function load() {
  let stopping = false
  stops.push(() => {
    stopping = true
  })
  const done = Array<number>(CLIENTS).fill(0)
  const failures: string[] = []
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    while (!stopping) {
      await actions[client % actions.length]?.().catch((error: unknown) => {
        failures.push(String(error))
      })
      done[client] = (done[client] ?? 0) + 1
    }
  })
  return async () => {
    const before = [...done]
    // Each client has sent a request since, whatever the load of the machine.
    await until('every client goes on', () => done.every((now, at) => now > (before[at] ?? 0)))
    stopping = true
    await Promise.all(clients)
    return { done: done.reduce((sum, one) => sum + one, 0), failures }
  }
}

const command = (...args: string[]): Launched =>
  launch(platform.env, ['apps/cli/bezant.mjs', 'keys', ...args])

/** Runs to its end: as an operator, who runs it again after an outage that it reports. */
async function finished(start: () => Launched): Promise<void> {
  for (let tries = 1; ; tries++) {
    const run = start()
    const code = await run.ended
    const output = `${run.output()}${run.errors().join('\n')}`
    if (code === 0) return
    assert.ok(tries < 3 && output.includes('the database is not available'), output)
  }
}

const dataKeys = () =>
  platform.db.selectFrom('data_keys').selectAll().orderBy('generation').execute()

/** Kills the command while it waits for a row that is held here. */
async function killedInTheMiddle(): Promise<void> {
  const run = await platform.db.runTransaction(async (db) => {
    // Requests only read these rows or refer to them; the command writes them.
    await sql`select from vault.key_sets for no key update`.execute(db)
    const started = command('rotate')
    await until('the command waits for the row', async () => {
      // A transaction that is idle for long is ended, and the command starts slowly here.
      await sql`select 1`.execute(db)
      const { rows } = await sql`select from pg_stat_activity where datname = current_database()
        and wait_event_type = 'Lock' and query like '%vault%key_sets%'`.execute(platform.db)
      return rows.length > 0
    })
    started.kill('SIGKILL')
    return started
  })
  assert.equal(await run.ended, null)
}

describe(`under ${CLIENTS} clients`, () => {
  test('a rotation that is killed and run again fails no request and leaves no row', async (t) => {
    const stop = load()
    await killedInTheMiddle()
    const between = await dataKeys()
    assert.ok(between.every(({ retired }) => retired === null))
    await finished(() => command('rotate'))
    const { done, failures } = await stop()
    t.diagnostic(`${done} requests`)
    assert.deepEqual(failures, [])

    const keys = await dataKeys()
    assert.equal(keys.length, between.length, 'the second run has begun no rotation of its own')
    const old = keys.filter(({ retired }) => retired !== null)
    assert.equal(old.length, 5)
    const current = new Set(
      keys.filter(({ retired }) => retired === null).map(({ id }) => id.replaceAll('-', '')),
    )
    for (const [name, used] of await keysInUse(platform.db)) {
      for (const key of used) assert.ok(current.has(key), `${name} has rows under ${key}`)
    }
  })

  test('the old keys are removed an hour later, and the program works on without them', async () => {
    await platform.db
      .updateTable('data_keys')
      .set({ retired: new Date(Date.now() - 3_700_000) })
      .where('retired', 'is not', null)
      .execute()
    const stop = load()
    await finished(() => command('rotate', '--remove-old'))
    assert.ok((await dataKeys()).every(({ retired }) => retired === null))
    // Long enough for the process to have forgotten them as well.
    await until('it has read the keys', () => receiver.received.length > 20)
    for (const action of actions) await action()
    assert.deepEqual((await stop()).failures, [])
  })

  test('the master key is changed; the program goes on, and starts with the new one', async () => {
    const stop = load()
    const MASTER_KEY_NEW = randomBytes(32).toString('hex')
    await finished(() =>
      launch({ ...platform.env, MASTER_KEY_NEW }, ['apps/cli/bezant.mjs', 'keys', 'rewrap']),
    )
    for (const action of actions) await action()
    assert.deepEqual((await stop()).failures, [])
    await platform.stop()
    platform.env['MASTER_KEY'] = MASTER_KEY_NEW
    await platform.start()
    for (const action of actions) await action()
  })

  test('webhooks were signed and authenticated all the while, and no error was logged', () => {
    const basic = `Basic ${Buffer.from(`shop:${PASSWORD}`).toString('base64')}`
    assert.ok(receiver.received.length > 10)
    for (const { headers } of receiver.received) {
      assert.equal(headers.authorization, basic)
      assert.match(String(headers['webhook-signature']), /^v1,/)
    }
    const faults = platform.lines().filter((line) => /"level":"(warn|error|fatal)"/.test(line))
    assert.deepEqual(faults, [])
  })
})
