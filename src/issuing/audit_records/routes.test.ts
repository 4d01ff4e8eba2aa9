import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { NO_TENANT } from '#kit/http/callers/callers.ts'
import { newId } from '#lib/id.ts'
import { chainAll } from '#test/support/inspection/audit_log.ts'
import { openWorld } from '#test/support/world.ts'

const LOADS = 24
const OWN_PAGE = { host: 'cards.example', origin: 'https://cards.example' }

const world = await openWorld({ env: { ALLOWED_HOSTS: 'cards.example' } })
after(() => world[Symbol.asyncDispose]())

const ask = (method: string, path: string, body?: object, options = {}) =>
  world.request(method, `/v1/${path}`, body, options)
const made = async (path: string, body: object) => (await ask('POST', path, body)).body

/** The records of a filter, newest first. */
async function list(query: Record<string, string> = {}, options = {}) {
  const { status, body, text } = await ask(
    'GET',
    `audit?${new URLSearchParams(query)}`,
    undefined,
    options,
  )
  assert.equal(status, 200, text)
  return body.data
}
const listAsOperator = (query: Record<string, string>) =>
  ask('GET', `operator/audit?${new URLSearchParams(query)}`, undefined, {
    key: world.operator_key,
  })

/** The records made while `work` ran, oldest first. */
async function recordedBy(work: () => Promise<unknown>) {
  const [last] = await list({ limit: '1' })
  await work()
  const all = await list({ limit: '200' })
  const end = all.findIndex(({ id }: { id: string }) => id === last?.id)
  return (end < 0 ? all : all.slice(0, end)).toReversed()
}
const operationsOf = (records: readonly { operation: string }[]) =>
  records.map(({ operation }) => operation)

let user: string
let account: string
let card: string
before(async () => {
  const product = await made('cardproducts', {
    name: 'T',
    currency: 'AED',
    bin: '571002',
    initial_status_of_virtual_card: 'ACTIVE',
  })
  user = (await made('users', { first_name: 'Aisha', last_name: 'Khan' })).id
  const input = { user_id: user, card_type: 'VIRTUAL', card_product_id: product.id }
  const issued = await made('cards', input)
  card = issued.id
  account = issued.account_id
  await ask(
    'POST',
    `operator/tenants/${world.tenant.id}/funding`,
    { amount: 1e6, currency: 'AED' },
    {
      key: world.operator_key,
    },
  )
})

describe('an audit record', () => {
  test('names operation, caller, address, objects and members, and no value', async () => {
    const body = { first_name: 'Maryam', last_name: 'Haddad' }
    const sent = await ask('PUT', `users/${user}`, body, { from: '192.0.2.9' })
    const [record] = await list({ limit: '1' })
    const { id, digest, created, recorded, actor, ...rest } = record
    assert.deepEqual(rest, {
      operation: 'updateUser',
      address: '192.0.2.9',
      object_ids: [user],
      members: ['first_name', 'last_name'],
      status: 200,
      request_id: sent.headers['x-request-id'],
    })
    assert.equal(actor.kind, 'client')
    assert.match(digest, /^[0-9a-f]{64}$/)
    assert.ok(Math.abs(Date.parse(created) - Date.parse(recorded)) < 10_000)
    assert.equal(/Maryam|Haddad/.test(JSON.stringify(record)), false)
    assert.ok(!JSON.stringify(record).includes(world.tenant.api_key), id)
  })

  test('is one for a request and its replays under one idempotency key', async () => {
    const headers = { 'x-bezant-idempotency-key': randomUUID() }
    const load = () =>
      ask('POST', `accounts/${account}:loadfunds`, { amount: 5, currency: 'AED' }, { headers })
    const records = await recordedBy(async () => {
      for (let time = 0; time < 3; time++) assert.equal((await load()).status, 200)
    })
    assert.deepEqual(operationsOf(records), ['loadAccountFunds'])
    assert.equal(records[0].object_ids[0], account)
    assert.equal(records[0].object_ids.length, 2)
  })

  test('is one for each of the requests that share a transaction', async () => {
    const one = { amount: 1, currency: 'AED' }
    const records = await recordedBy(() =>
      Promise.all(
        Array.from({ length: LOADS }, async () => {
          const { status, text } = await ask('POST', `accounts/${account}:loadfunds`, one)
          assert.equal(status, 200, text)
        }),
      ),
    )
    assert.equal(records.length, LOADS)
    const requests = new Set(records.map(({ request_id }: { request_id: string }) => request_id))
    assert.equal(requests.size, LOADS)
  })

  test('is absent after an error, a rehearsal and a search', async () => {
    const records = await recordedBy(async () => {
      const headers = { 'x-bezant-idempotency-key': randomUUID() }
      const none = { status: 'NONE', status_reason_code: 'a0' }
      assert.equal((await ask('PUT', `cards/${card}:statuschange`, none)).status, 400)
      const much = { amount: 1e9, currency: 'AED' }
      const refused = await ask('POST', `accounts/${account}:loadfunds`, much, { headers })
      assert.ok(refused.status >= 400)
      const rehearsed = { amount: 1, currency: 'AED', dry_run: true }
      assert.equal((await ask('POST', `accounts/${account}:loadfunds`, rehearsed)).status, 200)
      assert.equal((await ask('POST', 'users:search', {})).status, 200)
      const what_if = { card_id: card, amount: 1, currency: 'AED' }
      const asked = await ask('POST', 'simulate/authorizations?what_if=true', what_if)
      assert.equal(asked.status, 200, asked.text)
    })
    assert.deepEqual(operationsOf(records), [])
  })

  test('is there for a wrong guess that is declined and counted', async () => {
    const { card_number, expiry_date, cvv2 } = (await ask('GET', `cards/${card}:reveal`)).body
    const wallet = { wallet: 'APPLE', device_name: 'Phone' }
    const records = await recordedBy(async () => {
      const guess = { card_number, expiry_date, cvv2: cvv2 === '000' ? '001' : '000', ...wallet }
      const { body } = await ask('POST', 'cards:provision', guess)
      assert.equal(body.code, 'card_data_mismatch')
    })
    assert.equal(records.length, 1)
    assert.ok(records[0].status >= 400)
  })

  test('is of the card for its data and its pages, with the digest of a token as caller', async () => {
    const input = { widget: 'CARD_DETAILS', origin: 'https://shop.example' }
    const records = await recordedBy(async () => {
      const { token } = await made(`cards/${card}:widgettoken`, input)
      const url = '/widgets/api/details'
      const reply = await world.app.inject({
        method: 'POST',
        url,
        headers: OWN_PAGE,
        payload: { token },
      })
      assert.equal(reply.statusCode, 200, reply.body)
      assert.equal((await ask('GET', `cards/${card}:reveal`)).status, 200)
    })
    assert.deepEqual(operationsOf(records), ['createWidgetToken', 'showCardInWidget', 'revealCard'])
    for (const { object_ids } of records) assert.ok(object_ids.includes(card))
    assert.equal(records[1].actor.kind, 'widget')
    assert.match(records[1].actor.id, /^[0-9a-f]{32}$/)
  })
})

describe('GET /v1/audit', () => {
  test('filters by object, caller, operation and time', async () => {
    const all = await list({ limit: '200' })
    const loads = await list({ operation: 'loadAccountFunds', limit: '200' })
    assert.ok(loads.length > LOADS && loads.length < all.length)
    const ofCard = await list({ object_id: card })
    assert.ok(
      ofCard.length > 0 &&
        ofCard.every((one: { object_ids: string[] }) => one.object_ids.includes(card)),
    )
    const [{ actor, created }] = all
    assert.ok((await list({ actor_id: actor.id })).length > 0)
    assert.deepEqual(await list({ actor_id: newId() }), [])
    assert.ok((await list({ from: created })).length >= 1)
    const before = await list({ to: created })
    assert.ok(before.every((one: { created: string }) => one.created < created))
  })

  test('shows place and hash once a record is chained', async () => {
    await chainAll(await world.ctx())
    const [last, previous] = await list({ limit: '2' })
    assert.equal(last.sequence, previous.sequence + 1)
    assert.match(last.hash, /^[0-9a-f]{64}$/)
  })

  test('an action of the operator is in the list of the tenant that it is about', async () => {
    const [funding] = await list({ operation: 'fundTenantAsOperator' })
    assert.equal(funding.actor.kind, 'operator')
    const shown = await listAsOperator({ tenant_id: world.tenant.id, limit: '200' })
    assert.ok(operationsOf(shown.body.data).includes('updateUser'))
    const key = { permissions: ['read'] }
    const options = { key: world.operator_key }
    await ask('POST', `operator/tenants/${world.tenant.id}/keys`, key, options)
    assert.equal((await list({ limit: '1' }))[0].operation, 'createApiKey')
  })

  test('the records of the operator about no tenant are chained with those of tenants', async () => {
    const rates = { rates: [{ from: 'USD', to: 'EUR', rate: '0.9' }] }
    const sent = await ask('PUT', 'operator/rates', rates, { key: world.operator_key })
    assert.equal(sent.status, 200, sent.text)
    const own = await listAsOperator({})
    assert.deepEqual(operationsOf(own.body.data), ['setRates'])
    await world.services.runDueJobs(NO_TENANT)
    assert.equal((await listAsOperator({})).body.data[0].sequence, 1)
  })

  test('a tenant sees none of another', async () => {
    const other = await world.otherTenant()
    assert.deepEqual(await list({}, { key: other.api_key }), [])
    assert.deepEqual(await list({ object_id: card }, { key: other.api_key }), [])
  })
})
