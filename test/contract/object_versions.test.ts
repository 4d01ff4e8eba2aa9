/** The version of an object (D-1092): `ETag` of its answers, `If-Match` of what changes it. */

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { objectsOf } from '#kit/http/objects.ts'
import { isChange, type Route } from '#kit/http/route.ts'
import { contractsOf } from '#src/program/documents.ts'
import { sandbox } from '#src/program/modes/sandbox.ts'
import { createBelongings, newWebhook } from '#test/support/contract/belongings.ts'
import { documentsOf, type Operation } from '#test/support/contract/operations.ts'
import { callerOf, contentOf, sampleOf, urlOf } from '#test/support/contract/samples.ts'
import { checksumsOf } from '#test/support/inspection/checksums.ts'
import { listenForCards } from '#test/support/network/purchases.ts'
import { openSecondProcess } from '#test/support/portal/second_process.ts'
import { liftRateLimit } from '#test/support/rate.ts'
import { openWorld } from '#test/support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
await liftRateLimit(world.db)
const issuer = await listenForCards(world)
after(() => issuer.close())
const own = await createBelongings(world, { orders: true })
const second = await openSecondProcess(world)
after(() => second[Symbol.asyncDispose]())

const documents = documentsOf(world.config)
const all = contractsOf(world.config, sandbox).flatMap(({ routes, document: { server } }) =>
  routes.map((route) => ({
    route,
    ...objectsOf(route, routes),
    operation: operationOf(server, route),
  })),
)

function operationOf(prefix: string, { id }: Route): Operation {
  const found = documents
    .find((document) => document.prefix === prefix)
    ?.operations.find((operation) => operation.id === id)
  assert.ok(found, id)
  return found
}

const isOnObject = ({ path, method }: Route) => method === 'PUT' || /\}:\w+$/.test(path)
/** Changes of what has no version, each with the reason. */
const WITHOUT_VERSION = new Map([
  ['setRates', 'rates are a list'],
  ['exchangeNetworkKeys', 'a peer is asked for keys, which have no version'],
  ['moveClock', 'a clock runs on'],
  ['endStuckPayment', 'a payment is ended once, whatever its version'],
  ['answerResponderRequest', 'a question is read in a list only, and answered once'],
])
const changes = all.filter(({ changed }) => changed)

async function ask(operation: Operation, tags?: string) {
  const sample = sampleOf(operation, own)
  const { payload, headers } = contentOf(sample)
  const caller = callerOf(operation, world, own)
  const more: Record<string, string> = tags === undefined ? {} : { 'if-match': tags }
  const options = { ...caller, headers: { ...caller.headers, ...headers, ...more } }
  const url = urlOf(operation, sample?.params)
  return { url, options, ...(await world.request(operation.method, url, payload, options)) }
}

test('every PUT and every action on an object compares its version', () => {
  const lacking = all.filter(
    ({ route, changed }) => isChange(route) && isOnObject(route) && !changed,
  )
  assert.deepEqual(lacking.map(({ route }) => route.id).sort(), [...WITHOUT_VERSION.keys()].sort())
})

test('412 changes nothing, whatever is changed by the operation', async () => {
  assert.ok(changes.length > 60, String(changes.length))
  const before = await checksumsOf(world.db, own.tenant.id)
  for (const { operation } of changes) {
    const { status, body, text } = await ask(operation, '"another", W/"weak"')
    assert.equal(status, 412, `${operation.name}: ${status} ${text}`)
    assert.match(JSON.stringify(body), /changed_meanwhile|was changed since/, operation.name)
  }
  assert.deepEqual(await checksumsOf(world.db, own.tenant.id), before)
})

test('400 where an operation is on no object, so that no precondition is ignored', async () => {
  const others = all.filter(({ route, changed }) => isChange(route) && !changed)
  for (const { operation } of others.filter(({ operation }) => operation.permission === 'write')) {
    const { status, body } = await ask(operation, '"another"')
    assert.equal(status, 400, operation.name)
    assert.deepEqual(body.errors, [{ path: 'if-match', message: 'is not taken by this operation' }])
  }
})

describe('the version that was read is accepted, and the answer names the next one:', () => {
  const versioned = all.filter(({ answered }) => answered)
  const reads = new Map(versioned.map(({ route, operation }) => [operation.name, route]))
  const last = ({ route }: { route: Route }) => Number(route.method === 'DELETE')
  for (const { operation, answered } of changes.toSorted((one, two) => last(one) - last(two))) {
    const read = `GET ${operation.prefix}${operation.path.replace(/:\w+$/, '')}`
    if (!reads.has(read)) continue
    test(operation.name, async () => {
      const sample = sampleOf(operation, own)
      const caller = callerOf(operation, world, own)
      const url = urlOf(operation, sample?.params).replace(/:\w+$/, '')
      const found = await world.request('GET', url, undefined, caller)
      const again = await second.request('GET', url, undefined, caller)
      assert.match(String(found.headers.etag), /^"[\w-]{22}"$/)
      // The second process of the test has another address, which a receiver shows.
      if (!url.includes('receivers')) assert.equal(again.headers.etag, found.headers.etag)
      const tags = `"another", ${found.headers.etag}`
      const { status, headers, text } = await ask(operation, tags)
      assert.ok(status < 300 || status === 409, `${status} ${text}`)
      if (!answered || status !== operation.success) return
      const next = await world.request('GET', url, undefined, caller)
      if (reads.get(read)?.answer === answered) assert.equal(headers.etag, next.headers.etag)
    })
  }
})

describe('what a creation answers is the version that is read:', () => {
  for (const { route, operation, answered } of all) {
    const below = all.find(
      ({ route: other }) => other.method === 'GET' && other.answer === answered && other.params,
    )
    const isCreation = route.method === 'POST' && !/:/.test(route.path) && below
    if (!answered || !isCreation || !below.route.path.startsWith(`${route.path}/`)) continue
    test(operation.name, async () => {
      const { status, headers, body, url, options } = await ask(operation)
      if (status !== operation.success) return
      const id = body.id ?? body.webhook_id
      const { headers: read } = await world.request('GET', `${url}/${id}`, undefined, options)
      assert.match(String(headers.etag), /^"[\w-]{22}"$/)
      assert.equal(headers.etag, read.etag)
    })
  }
})

test('lists have no version', async () => {
  for (const path of ['/v1/cards', '/v1/users', '/v1/webhooks', '/v1/allowedmccs']) {
    assert.equal((await world.request('GET', path)).headers.etag, undefined)
  }
})

describe('If-Match', () => {
  const key = { key: own.tenant.api_key }
  const url = `/v1/users/${own.ids.user}`
  const put = (tags: string, body: object = { middle_name: 'A' }) =>
    world.request('PUT', url, body, { ...key, headers: { 'if-match': tags } })
  const read = async () => String((await world.request('GET', url, undefined, key)).headers.etag)

  test('* is every version of what exists, and 404 of what does not', async () => {
    assert.equal((await put('*')).status, 200)
    const nobody = '/v1/users/00000000-0000-7000-8000-000000000000'
    const options = { ...key, headers: { 'if-match': '*' } }
    assert.equal((await world.request('PUT', nobody, {}, options)).status, 404)
  })

  test('compares strongly: a weak tag matches nothing', async () => {
    assert.equal((await put(`W/${await read()}`)).status, 412)
    assert.equal((await put(`W/${await read()}, ${await read()}`)).status, 200)
  })

  test('takes commas within tags, and empty parts of a list', async () => {
    assert.equal((await put(`, "a,b" ,, ${await read()} ,`)).status, 200)
  })

  test('400 for what is no list of tags', async () => {
    for (const tags of ['', 'abc', '"abc', `${await read()} "b"`, '*, "a"', ',', "'a'"]) {
      const { status, body } = await put(tags)
      assert.equal(status, 400, tags)
      assert.equal(body.errors[0].path, 'if-match')
    }
  })

  test('a fault of the body comes first, then the version, then the rules', async () => {
    assert.equal((await put('"other"', { first_name: 1 })).status, 400)
    const status = { ...key, headers: { 'if-match': '"other"' } }
    const move = { status: 'ACTIVE', status_reason_code: 'A0' }
    const answer = await world.request('PUT', `${url}:changeStatus`, move, status)
    assert.equal(answer.status, 412)
  })

  test('is not looked at where an idempotency key replays the answer', async () => {
    const account = `/v1/accounts/${own.ids.other_account}`
    const { headers } = await world.request('GET', account, undefined, key)
    const options = {
      ...key,
      headers: { 'if-match': String(headers.etag), 'x-bezant-idempotency-key': 'versions-1' },
    }
    const load = () =>
      world.request('POST', `${account}:loadfunds`, { amount: 1, currency: 'AED' }, options)
    const [first, replay] = [await load(), await load()]
    assert.deepEqual([first.status, replay.status], [200, 200])
    assert.equal(replay.headers['idempotent-replayed'], 'true')
    assert.equal(replay.text, first.text)
  })

  test('412 is not stored under an idempotency key', async () => {
    const account = `/v1/accounts/${own.ids.other_account}`
    const load = (tags: string) =>
      world.request(
        'POST',
        `${account}:loadfunds`,
        { amount: 1, currency: 'AED' },
        { ...key, headers: { 'if-match': tags, 'x-bezant-idempotency-key': 'versions-2' } },
      )
    assert.equal((await load('"other"')).status, 412)
    assert.equal((await load('*')).status, 200)
  })
})

const { body: webhook } = await world.request('POST', '/v1/webhooks', newWebhook, {
  key: own.tenant.api_key,
})

describe('of changes of one version at one time exactly one is made, in two processes:', () => {
  const ROUNDS = 5
  let days = 6
  const at = (name: string) => ({ name: `${name} ${Math.random()}` })
  const objects: readonly [string, (name: string) => object][] = [
    [`/v1/users/${own.ids.user}`, (name) => ({ middle_name: name })],
    [`/v1/cardproducts/${own.ids.card_product}`, at],
    [`/v1/allowedmccs/${own.ids.mcc_list}`, at],
    [`/v1/velocitylimits/${own.ids.velocity_limit}`, (name) => ({ description: name })],
    [`/v1/webhooks/${webhook.id}`, (name) => ({ endpoint: `http://127.0.0.1:9/${name}` })],
    ['/v1/tenantsettings', () => ({ hold_days: days++ % 30 })],
  ]
  for (const [url, bodyOf] of objects) {
    test(url.replace(/[0-9a-f-]{36}/, '{id}'), async () => {
      const key = { key: own.tenant.api_key }
      for (let round = 0; round < ROUNDS; round++) {
        const { headers } = await world.request('GET', url, undefined, key)
        const options = { ...key, headers: { 'if-match': String(headers.etag) } }
        const put = ({ request }: Pick<typeof world, 'request'>, name: string) =>
          request('PUT', url, bodyOf(name), options)
        const answers = await Promise.all([
          put(world, 'one'),
          put(second, 'two'),
          put(second, 'three'),
        ])
        const statuses = answers.map(({ status }) => status).sort()
        assert.deepEqual(statuses, [200, 412, 412], answers.map(({ text }) => text).join('\n'))
        const made = answers.find(({ status }) => status === 200)
        const now = await world.request('GET', url, undefined, key)
        assert.equal(now.headers.etag, made?.headers.etag)
      }
    })
  }
})
