/** A sandbox calls loopback addresses of its machine, and no other of its network (D-1004). */

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { openWorld, type World } from '#test/support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

const subscribe = ({ request }: World, endpoint: string) =>
  request('POST', '/v1/webhooks', { endpoint, events: ['TRANSACTION'] })
const ask = ({ request }: World, url: string) =>
  request('PUT', '/v1/tenantsettings', { responder: { url } })

const NEVER = [
  ...['10.0.0.1', '172.17.0.1', '192.168.1.1', '100.64.0.1', '100.100.100.200', '0.0.0.0', '0'],
  ...['169.254.169.254', '169.254.170.2', '168.63.129.16', '0xa83f8110', '2822734096', '224.0.0.1'],
  ...[
    '2852039166',
    '0xa9fea9fe',
    '0251.0376.0251.0376',
    '169.254.169.254.',
    '10.1',
    '255.255.255.255',
  ],
  ...['[::]', '[fe80::1]', '[fd00:ec2::254]', '[fc00::1]', '[ff02::1]', '[::ffff:10.0.0.1]'],
  ...[
    '[::ffff:a9fe:a9fe]',
    '[::ffff:168.63.129.16]',
    '[64:ff9b::a9fe:a9fe]',
    '[2002:a9fe:a9fe::1]',
  ],
  ...['[64:ff9b:1::7f00:1]', '[::127.0.0.1]', '[2002:7f00:1::]', '[fec0::1]'],
  ...['postgres', 'bezant', 'metadata.google.internal', 'metadata.google.internal.', 'nas.local'],
]
const LOOPBACK = [
  '127.0.0.1',
  '127.0.0.2',
  '[::1]',
  '[::ffff:127.0.0.1]',
  'localhost',
  'localhost.',
]

describe('an endpoint of a tenant in a sandbox', () => {
  for (const host of NEVER) {
    test(`is never ${host}, also where private endpoints are allowed`, async () => {
      const url = `http://${host}:8080/hook`
      const webhook = await subscribe(world, url)
      assert.deepEqual([webhook.status, webhook.body.errors?.[0]?.path], [400, 'endpoint'])
      const responder = await ask(world, url)
      assert.deepEqual([responder.status, responder.body.errors?.[0]?.path], [400, 'responder.url'])
    })
  }

  for (const host of LOOPBACK) {
    test(`may be ${host}, at any port`, async () => {
      assert.equal((await subscribe(world, `http://${host}:4711/hook`)).status, 200)
      assert.equal((await ask(world, `http://${host}:4711/hook`)).status, 200)
    })
  }
})

for (const env of [
  { HOST: '0.0.0.0' },
  { HOST: '::' },
  { PUBLIC_URL: 'https://cards.example' },
  { PUBLIC_URL: 'http://192.0.2.7:8080' },
]) {
  test(`nothing of the machine is called where ${JSON.stringify(env)} is set`, async () => {
    await using open = await openWorld({ env })
    const { body } = await open.request('GET', '/v1/tenantsettings')
    assert.equal(body.allow_private_endpoints, false)
    for (const host of LOOPBACK) {
      assert.equal((await subscribe(open, `http://${host}/hook`)).status, 400, host)
      assert.equal((await ask(open, `http://${host}/hook`)).status, 400, host)
    }
    const path = `/v1/operator/tenants/${open.tenant.id}/settings`
    const allow = { allow_private_endpoints: true }
    const answer = await open.request('PUT', path, allow, { key: open.operator_key })
    assert.deepEqual([answer.status, answer.body.errors[0].path], [400, 'allow_private_endpoints'])
  })
}
