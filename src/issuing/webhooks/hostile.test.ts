/**
 * Members that a client may not put into a subscription, and those that no answer of one contains
 * (D-63).
 */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { searchFor } from '#test/support/inspection/canary.ts'
import { type Answer, openWorld } from '#test/support/world.ts'

const SUBSCRIPTIONS = process.env['TEST_DEEP'] === '1' ? 10_000 : 300
const SUBSCRIPTIONS_MAX = 50
/** The others wait for the lock of the tenant: on a busy machine 50 wait too long. */
const AT_A_TIME = 10

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

const subscription = { endpoint: 'http://127.0.0.1:9/hook', events: ['TRANSACTION'] }
type Header = { header_name: string; header_value: string }
const withHeaders = (...custom_headers: Header[]) => ({ config: { custom_headers } })
const header = (header_name: string, header_value = 'x'): Header => ({ header_name, header_value })

/** The same configuration as part of a new subscription and as a change of one. */
async function answersTo(change: object): Promise<Answer[]> {
  const made = await world.request('POST', '/v1/webhooks', subscription)
  const answers = [
    await world.request('POST', '/v1/webhooks', { ...subscription, ...change }),
    await world.request('PUT', `/v1/webhooks/${made.body.id}`, change),
  ]
  const { body } = await world.request('GET', `/v1/webhooks/${made.body.id}`)
  assert.deepEqual(body.config.custom_headers, [], 'nothing of it is kept')
  await world.request('DELETE', `/v1/webhooks/${made.body.id}`)
  return answers
}

describe('is 400 at creation and at a change:', () => {
  const names = [
    ...['host', 'Host', 'content-length', 'Transfer-Encoding', 'webhook-signature', 'webhook-id'],
    ...['__proto__', '__PROTO__', 'constructor', 'prototype', 'TE', 'Trailer', 'Upgrade'],
    ...['Connection', 'Keep-Alive', 'Proxy-Authenticate', 'HTTP2-Settings'],
    ...['x\r\ny', 'x\ny', 'x\ry', 'x: y', 'x ', 'é', 'x'.repeat(101)],
  ]
  const values = [
    ...['a\r\nhost: b', 'a\nb', 'a\rb', 'a\r\n\r\nGET / HTTP/1.1', 'é'],
    ...['x'.repeat(1_001), 'x'.repeat(1_000_000)],
  ]
  const shown = (text: string) => `${JSON.stringify(text).slice(0, 30)} of ${text.length}`
  for (const name of names) {
    test(`a header ${shown(name)}`, async () => {
      for (const { status, body } of await answersTo(withHeaders(header(name)))) {
        assert.equal(status, 400)
        assert.equal(body.errors[0].path, 'config.custom_headers.0.header_name')
      }
    })
  }
  for (const value of values) {
    test(`a value ${shown(value)}`, async () => {
      for (const { status, body, text } of await answersTo(withHeaders(header('x-key', value)))) {
        assert.equal(status, 400)
        assert.equal(body.errors[0].path, 'config.custom_headers.0.header_value')
        assert.ok(text.length < 1_000, 'the value is not returned')
      }
    })
  }
  test('1,000 headers', async () => {
    const many = Array.from({ length: 1_000 }, (_, at) => header(`x-${at}`))
    for (const { status, body } of await answersTo(withHeaders(...many))) {
      assert.equal(status, 400)
      assert.equal(body.errors[0].path, 'config.custom_headers')
    }
  })
})

test('a body of more than a megabyte is 413', async () => {
  const large = withHeaders(header('x-key', 'x'.repeat(2 ** 20)))
  for (const { status } of await answersTo(large)) assert.equal(status, 413)
})

test(`of ${SUBSCRIPTIONS} subscriptions of a tenant 50 are made, and another's go on`, async () => {
  const { api_key: key } = await world.otherTenant()
  const create = (by: string) => world.request('POST', '/v1/webhooks', subscription, { key: by })
  const counts = new Map<number, number>()
  for (let sent = 0; sent < SUBSCRIPTIONS; sent += AT_A_TIME) {
    const answers = await Promise.all(Array.from({ length: AT_A_TIME }, () => create(key)))
    for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1)
  }
  assert.deepEqual([...counts].sort(), [
    [200, SUBSCRIPTIONS_MAX],
    [409, SUBSCRIPTIONS - SUBSCRIPTIONS_MAX],
  ])
  const list = await world.request('GET', '/v1/webhooks?limit=100', undefined, { key })
  assert.equal(list.body.data.length, SUBSCRIPTIONS_MAX)
  assert.equal((await create((await world.otherTenant()).api_key)).status, 200)
})

test('no answer contains the password or the value of a header', async () => {
  const [password, value] = [randomBytes(12).toString('hex'), randomBytes(12).toString('hex')]
  const search = searchFor([
    { name: 'password', value: password },
    { name: 'value', value },
  ])
  const config = {
    basic_auth_username: 'shop',
    basic_auth_password: password,
    custom_headers: [header('X-Key', value)],
  }
  const texts: string[] = []
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await world.request(method, `/v1/${path}`, body)
    texts.push(answer.text, JSON.stringify(answer.headers))
    return answer.body
  }
  const { id } = await ask('POST', 'webhooks', { ...subscription, config })
  await ask('POST', 'webhooks', { ...subscription, id, config })
  for (const wrong of [
    { ...config, basic_auth_password: `${password}\n` },
    { ...config, basic_auth_password: password.repeat(20) },
    { ...config, basic_auth_username: 'a:b' },
    { ...config, custom_headers: [header('host', value), header('x', `${value}\n`)] },
  ]) {
    await ask('POST', 'webhooks', { ...subscription, config: wrong })
    await ask('PUT', `webhooks/${id}`, { config: wrong })
  }
  await ask('PUT', `webhooks/${id}`, { config })
  await ask('POST', `webhooks/${id}:rotateSecret`)
  const ping = await ask('POST', `webhooks/${id}:ping`)
  for (const path of [
    `webhooks/${id}`,
    'webhooks',
    `webhooks/${id}/deliveries`,
    'tenantsettings',
  ]) {
    await ask('GET', path)
  }
  await ask('GET', `deliveries/${ping.id}`)
  await ask('POST', `deliveries/${ping.id}:resend`)
  await ask('DELETE', `webhooks/${id}`)
  assert.deepEqual(search.inText([...texts, ...world.logged].join('\n')), [])
})
