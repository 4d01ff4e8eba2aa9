/** `bezant get|post|put|delete` at each API, with the credentials that its paths take. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { keeper } from '#test/support/keeper.ts'
import { memberWith } from '#test/support/portal/browser.ts'
import { openShop } from '../e2e/shop.ts'
import { openCommand } from './running.ts'

const keep = keeper()
const world = keep(await openShop())
const baseUrl = await world.app.listen({ host: '127.0.0.1', port: 0 })
const { api_key } = world.tenant
const { public_key, private_key } = world.merchant
const tenant = keep(openCommand({ BEZANT_URL: baseUrl, BEZANT_KEY: api_key }))
const shop = keep(
  openCommand({ BEZANT_URL: baseUrl, BEZANT_KEY: private_key, BEZANT_PUBLIC_KEY: public_key }),
)
/** A command with the file that the program writes for its clients. */
const sandbox = keep(openCommand())
const file = {
  base_url: baseUrl,
  operator_key: world.operator_key,
  network: { host: '127.0.0.1', port: world.issuer_port, dialect: 'ascii', header: 'binary2' },
  tenant: { id: world.tenant.id, api_key, currency: 'AED' },
  merchant: { public_key, private_key },
}
writeFileSync(join(sandbox.folder, 'sandbox.json'), JSON.stringify(file))

const secrets = [api_key, private_key, world.operator_key]
/** The exit code with its output, which has no key. */
async function ran(command: typeof tenant, words: readonly string[], input = '') {
  const { code, out, err } = await command.run(words, { input })
  for (const secret of secrets) assert.ok(!`${out}${err}`.includes(secret), words.join(' '))
  return { code, out, err }
}

describe('the sandbox of this machine', () => {
  test('answers the paths of every API, each by the key that it takes', async () => {
    for (const path of [
      ...['/users', '/v1/users', '/simulate/clock', '/v1/operator/tenants'],
      '/api/v1.0/orders',
    ]) {
      const { code, out, err } = await ran(sandbox, ['get', path])
      assert.equal(code, 0, `${path}: ${err}`)
      assert.notEqual(JSON.parse(out), null)
    }
    const invite = ['post', '/portal/v1/operators:invite', 'email=one@example.com']
    const invited = await ran(sandbox, invite)
    assert.equal(invited.code, 0, invited.err)
  })

  test('makes checkouts, which take effect once under one key of idempotency', async () => {
    const words = ['post', '/api/v1.0/checkouts', 'reference=A-1', 'total=10', 'currency=AED']
    const callbacks = [
      'confirm_callback_url=https://a.example',
      'reject_callback_url=https://a.example',
    ]
    const all = [...words, ...callbacks, '--idempotency-key', 'one-checkout']
    const [one, other] = [await ran(sandbox, all), await ran(sandbox, all)]
    assert.deepEqual([one.code, other.code], [0, 0], one.err + other.err)
    assert.equal(JSON.parse(one.out).id, JSON.parse(other.out).id)
  })
})

test('a trigger that is a message finds the port of the sandbox, or is given it', async () => {
  const operator = { key: world.operator_key }
  const path = `/v1/operator/tenants/${world.tenant.id}`
  const settings = await world.request('PUT', `${path}/settings`, { pci_compliant: true }, operator)
  assert.equal(settings.status, 200, settings.text)
  const funds = { currency: 'AED', amount: 10_000 }
  await world.request('POST', `${path}/funding`, funds, operator)
  const here = await ran(sandbox, ['trigger', '1857'])
  assert.equal(here.code, 0, here.err)
  assert.match(here.out, /^the completion is SETTLED: 1857 Presentment not found/m)
  const unnamed = await ran(tenant, ['trigger', '9104'])
  assert.equal(unnamed.code, 1)
  assert.match(unnamed.err, /give --network HOST:PORT/)
  const network = `127.0.0.1:${world.issuer_port}`
  const named = await ran(tenant, ['trigger', '9104', '--network', network])
  assert.equal(named.code, 0, named.err)
  assert.match(named.out, /^a message 0100 is answered 0110 30$/m)
})

describe('the keys of a merchant', () => {
  test('answer the paths of the merchant API alone', async () => {
    const orders = await ran(shop, ['get', '/api/v1.0/orders'])
    assert.equal(orders.code, 0, orders.err)
    const missing = await ran(shop, ['get', '/api/v1.0/orders/NONE'])
    assert.equal(missing.code, 1)
    assert.match(missing.err, /^bezant: GET \/api\/v1\.0\/orders\/NONE: .* \(404, not_found/)
    for (const words of [
      ['get', '/users'],
      ['get', '/portal/v1/session'],
      ['users', 'list'],
      ['trigger', 'purchase'],
      ['export'],
    ]) {
      const { code, err } = await ran(shop, words)
      assert.equal(code, 2, words.join(' '))
      assert.match(err, /needs the API key of a tenant \(--profile\)/)
    }
  })

  test('are a profile, whose file is its owner’s and whose private key is not printed', async () => {
    const add = ['profile', 'add', 'shop', baseUrl, '--merchant', public_key]
    const added = await ran(shop, add, `${private_key}\n`)
    assert.equal(added.code, 0, added.err)
    assert.equal(statSync(join(shop.folder, 'bezant', 'profiles.json')).mode & 0o777, 0o600)
    const listed = await ran(shop, ['profile', 'list'])
    assert.match(listed.out, /^\* +shop +merchant +http:/m)
    const json = JSON.parse((await ran(shop, ['profile', 'list', '--json'])).out)
    assert.deepEqual(json, [{ name: 'shop', url: baseUrl, key: 'merchant', current: true }])
    const orders = await ran(shop, ['get', '/api/v1.0/orders', '--profile', 'shop'])
    assert.equal(orders.code, 0, orders.err)
  })

  test('that are unknown are named', async () => {
    const env = { BEZANT_KEY: 'another-private-key' }
    const { code, err } = await shop.run(['get', '/api/v1.0/orders'], { env })
    assert.equal(code, 1)
    assert.match(err, /^bezant: the platform does not know this key \(401/)
  })
})

test('scenarios run against the sandbox of this machine, also by another name of it', async () => {
  const words = ['scenario', 'run', 'examples/scenarios/purchase_approved.yaml', '--url']
  for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
    const { code, err } = await ran(sandbox, [...words, baseUrl.replace('127.0.0.1', host)])
    assert.equal(code, 0, err)
  }
})

describe('the key of a tenant', () => {
  test('is not sent to the merchant API, and the command says what is', async () => {
    const { code, err } = await ran(tenant, ['get', '/api/v1.0/orders'])
    assert.equal(code, 2)
    assert.match(err, /needs the keys of a merchant: bezant profile add NAME URL --merchant/)
  })

  test('is no session of a member, and the command says what is', async () => {
    const { code, err } = await ran(tenant, ['get', '/portal/v1/members'])
    assert.equal(code, 1)
    assert.match(err, /: it needs the session of a member, .* profile add NAME URL --session \(401/)
  })

  test('has no operation of the operator, and the answer says so', async () => {
    const { code, err } = await ran(tenant, ['get', '/operator/tenants'])
    assert.equal(code, 1)
    assert.match(err, /^bezant: GET \/v1\/operator\/tenants: .* \(403, /)
  })
})

test('a session of the portal answers its paths, and those of the other APIs', async () => {
  const own = keep(openCommand())
  const session = (await memberWith(world, 'owner', world.tenant.id)).browser.cookie
  assert.notEqual(session, '')
  const add = ['profile', 'add', 'me', baseUrl, '--session']
  assert.equal((await own.run(add, { input: session })).code, 0)
  for (const path of ['/users', '/api/v1.0/orders']) {
    const { code, err } = await own.run(['get', path])
    assert.equal(code, 0, `${path}: ${err}`)
  }
  const { code, out, err } = await own.run(['get', '/portal/v1/session'])
  assert.equal(code, 0, err)
  assert.notEqual(JSON.parse(out), null)
  assert.ok(!`${out}${err}`.includes(session))
  const both = [...add, '--merchant', public_key]
  assert.equal((await own.run(both, { input: session })).code, 2)
})

for (const path of [
  '/api',
  '/api/v2/orders',
  '/portal',
  '/portal/v2/session',
  '/api/../v1/users',
]) {
  test(`the path ${path} is of no API, and nothing is sent`, async () => {
    const { code, err } = await ran(sandbox, ['get', path])
    assert.equal(code, 2, err)
  })
}

test('a request that may have taken effect says that it is not known', async () => {
  let seen = 0
  const server = createServer((request, response) => {
    seen += 1
    request.resume().once('end', () => response.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${Object(server.address()).port}`
  const at = async (...words: string[]) => tenant.run(words, { env: { BEZANT_URL: url } })
  const put = await at('put', '/users/x', 'a=1')
  assert.equal(put.code, 1)
  assert.equal(seen, 1, 'a PUT is not sent again')
  assert.match(put.err, /\nIt is not known whether the request took effect\.\n$/)
  const post = await at('post', '/users', 'a=1', '--idempotency-key', 'mine')
  assert.equal(seen, 4, 'a POST is sent again under its key')
  assert.match(post.err, /It is not known whether/)
  assert.match(post.err, /--idempotency-key mine/)
  const get = await at('get', '/users')
  assert.doesNotMatch(get.err, /It is not known/)
  server.close()
})
