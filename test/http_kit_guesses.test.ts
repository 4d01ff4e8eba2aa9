/** Guessed keys from one address, with the real HTTP server and database. */

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { makeApiKey } from '#callers/api_keys.ts'
import { createApp } from '#kit/http/app.ts'
import { keyText } from '#lib/digest.ts'
import { sandbox } from '#src/program/modes/sandbox.ts'
import { assemble } from '#src/program/program.ts'
import { createBelongings } from './support/contract/belongings.ts'
import { openEdge } from './support/edge.ts'
import { openWorld } from './support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const { merchant, tenant } = await createBelongings(world)

let sources = 0
const freshAddress = () => `203.0.113.${++sources}`
type Options = { headers?: Record<string, string>; body?: object; remoteAddress: string }

/** A program of its own, whose memory of failures is its own too. */
function openProgram() {
  const { services, config, db, log } = world
  const { app } = assemble({ mode: sandbox, config, db, batches: db, keys: services.keys, log })
  const ask = async (url: string, { headers = {}, body, remoteAddress }: Options) => {
    const method = body ? 'POST' : 'GET'
    const given = { method, url, headers, remoteAddress, ...(body && { payload: body }) } as const
    const { statusCode, headers: answered } = await app.inject(given)
    return { status: statusCode, wait: answered['retry-after'] }
  }
  return { app, ask }
}

const statuses = (answers: readonly { status: number }[], status: number) =>
  answers.filter((answer) => answer.status === status).length

describe('of 500 wrong keys from one address', () => {
  const kinds: [name: string, headers: () => Record<string, string>][] = [
    ['unknown', () => ({ apikey: makeApiKey().key })],
    ['malformed', () => ({ apikey: `no-key-${Math.random()}` })],
    ['unknown, by bearer', () => ({ authorization: `Bearer ${makeApiKey().key}` })],
  ]
  for (const [name, headers] of kinds) {
    test(`most are 429 with Retry-After and without the database: ${name}`, async () => {
      const { app, ask } = openProgram()
      const remoteAddress = freshAddress()
      const answers = []
      for (let at = 0; at < 500; at++) {
        answers.push(await ask('/v1/tenantsettings', { headers: headers(), remoteAddress }))
      }
      assert.equal(statuses(answers, 401) + statuses(answers, 429), 500)
      assert.ok(statuses(answers, 429) > 300, `${statuses(answers, 401)} were looked up`)
      assert.ok(answers.every(({ status, wait }) => status === 401 || Number(wait) >= 1))
      await app.close()
    })
  }

  test('a request without a credential is no guess', async () => {
    const { app, ask } = openProgram()
    const remoteAddress = freshAddress()
    const answers = []
    for (let at = 0; at < 500; at++) answers.push(await ask('/v1/users', { remoteAddress }))
    assert.equal(statuses(answers, 401), 500)
    await app.close()
  })

  test('none locks out the owner of a key who calls from there', async () => {
    const { app, ask } = openProgram()
    const remoteAddress = freshAddress()
    const own = { headers: { apikey: tenant.api_key }, remoteAddress }
    assert.equal((await ask('/v1/tenantsettings', own)).status, 200)
    for (let at = 0; at < 150; at++) {
      await ask('/v1/tenantsettings', { headers: { apikey: makeApiKey().key }, remoteAddress })
    }
    const again = await Promise.all(Array.from({ length: 20 }, () => ask('/v1/users', own)))
    assert.equal(statuses(again, 200), 20)
    const operator = { headers: { apikey: world.operator_key }, remoteAddress: freshAddress() }
    assert.equal((await ask('/v1/operator/tenants', operator)).status, 200)
    await app.close()
  })

  test('a revoked key is a wrong one', async () => {
    const { app, ask } = openProgram()
    const operator = { key: world.operator_key }
    const keys = `/v1/operator/tenants/${tenant.id}/keys`
    const made = await world.request('POST', keys, { permissions: ['read'] }, operator)
    const given = { headers: { apikey: made.body.key }, remoteAddress: freshAddress() }
    assert.equal((await ask('/v1/users', given)).status, 200)
    await world.request('DELETE', `${keys}/${made.body.id}`, undefined, operator)
    const answers = []
    for (let at = 0; at < 150; at++) answers.push(await ask('/v1/users', given))
    assert.equal(answers[0]?.status, 401)
    assert.equal(answers.at(-1)?.status, 429)
    await app.close()
  })
})

describe('the order service', () => {
  const path = '/api/v1.0/merchant/authentication'
  const { public_key, private_key, token } = merchant

  test('wrong key pairs are braked alike, and the right one goes on working', async () => {
    const { app, ask } = openProgram()
    const remoteAddress = freshAddress()
    const right = { body: { public_key, private_key }, remoteAddress }
    assert.equal((await ask(path, right)).status, 200)
    const answers = []
    for (let at = 0; at < 150; at++) {
      const guess = keyText('sk_', Buffer.from(String(at).padStart(32)))
      answers.push(await ask(path, { body: { public_key, private_key: guess }, remoteAddress }))
    }
    assert.ok(statuses(answers, 429) >= 30)
    assert.equal((await ask(path, right)).status, 200)
    await app.close()
  })

  test('a token is rejected by its signature alone, so 500 wrong ones are each 401', async () => {
    const { app, ask } = openProgram()
    const remoteAddress = freshAddress()
    const orders = '/api/v1.0/orders/none'
    const answers = []
    for (let at = 0; at < 500; at++) {
      const headers = { authorization: `Bearer ${token.slice(0, -8)}${10_000_000 + at}` }
      answers.push(await ask(orders, { headers, remoteAddress }))
    }
    assert.equal(statuses(answers, 401), 500)
    const signed = { headers: { authorization: `Bearer ${token}` }, remoteAddress }
    assert.equal((await ask(orders, signed)).status, 404)
    await app.close()
  })
})

test('behind a trusted proxy the address is that of X-Forwarded-For; the header of any other sender is ignored', async () => {
  const { config, services, log } = world
  const edge = await openEdge(world)
  const { issuingModule } = await import('#src/program/apis/issuing.ts')
  const api = issuingModule([], services, world.clock, () => config)
  const seen: string[] = []
  const app = createApp(
    [
      {
        ...api,
        routes: [
          {
            method: 'GET',
            path: '/seen',
            permission: 'read',
            ...{ id: 'see', tag: 'Keys', description: 'Names the caller.' },
            summary: 'Name the caller',
            answer: {},
            status: 200,
            run: async () => ({}),
          },
        ],
        authenticate: async (request, route) => {
          seen.push(request.ip)
          return api.authenticate(request, route)
        },
      },
    ],
    log,
    { trusted_proxies: ['10.0.0.0/8'] },
  )
  const forwarded = { 'x-forwarded-for': '198.51.100.7, 203.0.113.200, 10.0.0.2' }
  await app.inject({ url: '/v1/seen', headers: forwarded, remoteAddress: '10.0.0.1' })
  await app.inject({ url: '/v1/seen', headers: forwarded, remoteAddress: '192.0.2.1' })
  assert.deepEqual(seen, ['203.0.113.200', '192.0.2.1'])
  await app.close()
  await edge.close()
})
