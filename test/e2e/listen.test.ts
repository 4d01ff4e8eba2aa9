import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { emit } from '#events/outbox.ts'
import { transact } from '#kit/context.ts'
import { newId } from '#lib/id.ts'
import { sandboxPath } from '#sandbox/known.ts'
import { writeSandbox } from '#sandbox/seed/file.ts'
import { madeUpEvent } from '#test/support/events.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { keeper } from '#test/support/keeper.ts'
import { dataFolder, launch } from '#test/support/processes/process.ts'
import { openReceiver, until } from '#test/support/services/receiver.ts'
import { openWorld } from '#test/support/world.ts'
import { listenTo, type Source } from '../../apps/cli/server/listen/events.ts'
import { type Given, optionsOf } from '../../apps/cli/server/listen/options.ts'

const keep = keeper()
const world = keep(await openWorld())
const url = await world.app.listen({ host: '127.0.0.1', port: 0 })
const receiver = keep(await openReceiver())

const DATA_DIR = dataFolder()
const listen = (...options: string[]) =>
  launch({ DATA_DIR }, ['apps/cli/bezant.mjs', 'listen', ...options])
const printing = (tool: ReturnType<typeof listen>) => (text: RegExp) =>
  until(String(text), () => text.exec(tool.output()))
const send = async (
  event: Parameters<typeof madeUpEvent>[0],
  at: number,
  tenant = world.tenant,
) => {
  const ctx = await world.ctx(tenant.id)
  await transact(ctx, (tx) => emit(tx, madeUpEvent(event, newId(), { at, text: 'é\n' })))
}
const KEY = ['--url', url, '--key', world.tenant.api_key]
const given = { url, key: world.tenant.api_key }

test('bezant listen forwards what comes, signed, and sums it up at Ctrl-C', async () => {
  world.sweeper.start()
  await send('TRANSACTION', 0)
  const forwarding = ['--forward-to', receiver.url, '--events', 'TRANSACTION,pin_change']
  const tool = listen(...KEY, ...forwarding)
  const printed = printing(tool)
  const [, secret = ''] = await printed(/signed with (whsec_\S+)/)
  await send('TRANSACTION', 1)
  await send('EXPIRED_AUTH', 2)
  await until('the first is forwarded', () => receiver.received.length === 1)
  receiver.answer(500)
  await send('PIN_CHANGE', 3)
  await printed(/PIN_CHANGE +\S{36} {2}500 in \d+ ms/)
  await receiver.close()
  await send('TRANSACTION', 4)
  await printed(/nothing listens at http:\/\/127\.0\.0\.1:\d+ in \d+ ms/)
  tool.kill('SIGINT')
  assert.equal(await tool.ended, 0)
  assert.match(tool.output(), /\n3 events: 1 forwarded, 2 failed\n$/)
  assert.deepEqual(tool.errors(), [])

  const feed = (await world.request('GET', '/v1/events')).body.data
  const [first, second] = receiver.received
  assert.deepEqual([first?.body, second?.body], [feed[1], feed[3]])
  const headers = first?.headers as Record<string, string>
  assert.deepEqual(new Webhook(secret).verify(first?.text ?? '', headers), feed[1])
})

test('bezant listen states what to do where its options are not enough', () => {
  const cases: [options: Given, line: RegExp][] = [
    [{}, /sandbox\.json does not exist: start the server \(npm start\), or give --url/],
    [{ url }, /give --key for http/],
    [{ ...given, tenant: newId() }, /--tenant is for the sandbox of DATA_DIR/],
    [{ ...given, forwardTo: 'ftp://a' }, /--forward-to ftp:\/\/a is not an http address/],
    [{ ...given, responderTo: 'a b' }, /--responder-to a b is not an http address/],
    [{ ...given, secret: 'short' }, /--secret is not whsec_/],
  ]
  for (const [options, message] of cases) {
    assert.throws(() => optionsOf(options, DATA_DIR), { message })
  }
})

test('bezant listen ends where the platform does not answer, or not with events', async () => {
  const { signal } = new AbortController()
  const source = { url, key: world.tenant.api_key, after: 'latest', signal, onConnection() {} }
  const cases: [part: Partial<Source>, line: RegExp][] = [
    [{ url: 'http://127.0.0.1:1' }, /127\.0\.0\.1:1 does not answer: start the server/],
    [{ key: `${source.key}x` }, /does not know this API key/],
    [{ after: newId() }, /answered 400: .*list again without it/],
  ]
  for (const [part, message] of cases) {
    await assert.rejects(listenTo({ ...source, ...part }).next(), { message })
  }
})

/** A proxy before the platform: it answers every request as one that prefers JSON. */
async function openPlainProxy(): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer(async (request, response) => {
    const { apikey } = request.headers
    const headers = { apikey: String(apikey), accept: 'application/json' }
    const answer = await fetch(`${url}${request.url}`, { headers })
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    response.end(await answer.text())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

test('bezant listen polls where no stream comes through', async (t) => {
  const proxy = await openPlainProxy()
  t.after(proxy.close)
  const tenant = await world.otherTenant()
  const ending = new AbortController()
  const states: string[] = []
  const events = listenTo({
    url: proxy.url,
    key: tenant.api_key,
    after: 'latest',
    signal: ending.signal,
    onConnection: (state) => states.push(state),
  })
  const read: unknown[] = []
  const first = events.next()
  await until('it is connected', () => states.length > 0)
  for (let at = 0; at < 3; at++) {
    await send('TRANSACTION', at, tenant)
    const { value } = at === 0 ? await first : await events.next()
    read.push(JSON.parse(value?.data ?? ''))
  }
  const feed = await world.request('GET', '/v1/events', undefined, { key: tenant.api_key })
  assert.deepEqual(read, feed.body.data)
  assert.deepEqual(states, ['connected'])
  ending.abort()
  assert.equal((await events.next()).done, true)
})

test('bezant listen --tenant answers the questions of its tenant, and deletes its key', async (t) => {
  const tenant = await world.otherTenant()
  const bank = await openIssuer(world, tenant)
  const card = await bank.card(500)
  const base_url = url.replace(/\/+$/, '')
  const { host, port } = world.config.network
  writeSandbox(sandboxPath(DATA_DIR), {
    base_url,
    operator_key: world.operator_key,
    network: { host, port, dialect: 'none', header: 'none' },
    tenant: { ...world.tenant, name: 'none', currency: 'AED', card_product_id: newId() },
    merchant: { name: 'none', public_key: 'none', private_key: 'none' },
  })
  const local = await openReceiver()
  let isOpen = true
  const close = async () => {
    if (isOpen) await local.close()
    isOpen = false
  }
  t.after(close)
  local.answer((response) => response.end('{"approved":true,"amount":null,"reason":"none"}'))
  const tool = listen('--tenant', tenant.id, '--responder-to', local.url)
  const printed = printing(tool)
  const [, secret = ''] = await printed(/Answering from \S+, signed with (whsec_\S+)/)
  await printed(/No question comes before PUT \/v1\/tenantsettings/)
  const keys = `/v1/operator/tenants/${tenant.id}/keys`
  const countKeys = async () =>
    (await world.request('GET', keys, undefined, { key: world.operator_key })).body.data.length
  assert.equal(await countKeys(), 2)

  const responder = { listener: true, timeout_ms: 3000 }
  assert.equal((await bank.call('PUT', '/v1/tenantsettings', { responder })).status, 200)
  const pay = async () => {
    const body = { card_id: card.card_id, amount: 100, currency: 'AED' }
    return (await bank.call('POST', '/v1/simulate/authorizations', body)).body
  }
  const { id, status_code } = await pay()
  assert.equal(status_code, '0000')
  await printed(new RegExp(`approve 100 AED\\? +${id} {2}approved in \\d+ ms`))
  const [asked] = local.received
  const headers = asked?.headers as Record<string, string>
  const question = new Webhook(secret).verify(asked?.text ?? '', headers)
  assert.partialDeepStrictEqual(question, { id, status: 'PENDING', amount: 100, ...card })

  local.answer((response) => response.end('{"approved":"yes"}'))
  assert.equal((await pay()).status_code, '1852')
  await printed(/no JSON with `approved`, default action in \d+ ms/)
  await close()
  assert.equal((await pay()).status_code, '1852')
  await printed(/nothing listens at http:\/\/127\.0\.0\.1:\d+, default action in \d+ ms/)
  await printed(/TRANSACTION +\S{36}\n/)
  tool.kill('SIGINT')
  assert.equal(await tool.ended, 0)
  assert.match(tool.output(), /\n\d+ events; 3 questions: 1 answered\n$/)
  assert.deepEqual(tool.errors(), [])
  assert.equal(await countKeys(), 1)
})
