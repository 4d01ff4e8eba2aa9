/** Ends of a command by a signal: it leaves nothing that it has made for its own time. */

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { json as jsonOf } from 'node:stream/consumers'
import { test } from 'node:test'
import { sandboxPath } from '#sandbox/known.ts'
import { type SandboxFile, writeSandbox } from '#sandbox/seed/file.ts'
import { keeper } from '#test/support/keeper.ts'
import { until } from '#test/support/services/receiver.ts'
import { openCommand } from './running.ts'

const SIGNALS = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const

const ID = '01900000-0000-7000-8000-000000000000'
const WEBHOOK = { id: ID, secret: `whsec_${Buffer.alloc(24).toString('base64')}` }

/** Answers of a platform; the call that makes a user is under way until the test ends. */
const answers: Record<string, object> = {
  'GET /v1/simulate/clock': { now: '2026-01-15T09:00:00Z' },
  'GET /v1/tenantsettings': { require_kyc: false },
  'PUT /v1/tenantsettings': {},
  'POST /api/v1.0/merchant/authentication/': { token: 'token' },
  'POST /v1/webhooks': WEBHOOK,
  [`DELETE /v1/webhooks/${ID}`]: {},
}
const asked: { call: string; body: unknown }[] = []
let onUser = (_: ServerResponse) => {}
const server = createServer(async (request, response) => {
  const call = `${request.method} ${request.url}`
  asked.push({ call, body: await jsonOf(request).catch(() => undefined) })
  const answer = answers[call]
  if (call === 'POST /v1/users') onUser(response)
  else {
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer ?? { code: 'not_found', detail: 'It does not exist.' }))
  }
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const base_url = `http://127.0.0.1:${Object(server.address()).port}`
const keep = keeper()
keep({
  [Symbol.dispose]: () => {
    server.close()
    server.closeAllConnections()
  },
})
const command = keep(openCommand({ BEZANT_URL: base_url, BEZANT_KEY: 'the-key-of-a-tenant' }))

const SANDBOX: SandboxFile = {
  base_url,
  network: { host: '127.0.0.1', port: 9, dialect: '1987', header: '2' },
  operator_key: 'key',
  tenant: { id: ID, name: 'Tenant', api_key: 'key', currency: 'AED', card_product_id: ID },
  merchant: { name: 'Shop', public_key: 'key', private_key: 'key' },
}

/** The exit code of a command that gets the signal while it makes a user. */
async function endAtUser(start: () => ChildProcess, signal: NodeJS.Signals) {
  asked.length = 0
  const isAsked = Promise.withResolvers<ServerResponse>()
  onUser = isAsked.resolve
  const child = start()
  child.stdout?.resume()
  child.stderr?.resume()
  const closed = once(child, 'close')
  const response = await Promise.race([isAsked.promise, closed.then(() => undefined)])
  assert.ok(response, 'it ended before it made a user')
  child.kill(signal)
  const [code] = await closed
  response.destroy()
  return code
}

for (const [signal, code] of SIGNALS) {
  test(`trigger puts the settings back at ${signal}`, async () => {
    assert.equal(await endAtUser(() => command.start(['trigger', 'kyc.passed']), signal), code)
    const changes = asked.filter(({ call }) => call === 'PUT /v1/tenantsettings')
    assert.deepEqual(
      changes.map(({ body }) => body),
      [{ require_kyc: true }, { require_kyc: false }],
    )
  })
}

for (const [signal, code] of SIGNALS) {
  test(`the demo deletes its subscription at ${signal}`, async () => {
    const DATA_DIR = join(command.folder, `demo-${signal}`)
    writeSandbox(sandboxPath(DATA_DIR), SANDBOX)
    const env = { ...command.environment, DATA_DIR }
    const start = () => spawn(process.execPath, ['apps/cli/bezant.mjs', 'demo'], { env })
    assert.equal(await endAtUser(start, signal), code)
    assert.ok(asked.some(({ call }) => call === `DELETE /v1/webhooks/${ID}`))
  })
}

for (const [signal] of SIGNALS) {
  test(`scenario run leaves no folder where ${signal} comes while its program starts`, async () => {
    const TMPDIR = join(command.folder, signal)
    mkdirSync(TMPDIR)
    const words = ['scenario', 'run', 'examples/scenarios/refund.yaml']
    const child = command.start(words, { TMPDIR, NODE_DISABLE_COMPILE_CACHE: '1' })
    child.stdout.resume()
    child.stderr.resume()
    const closed = once(child, 'close')
    await until('it has a folder', () => readdirSync(TMPDIR).length > 0)
    child.kill(signal)
    const [code] = await closed
    assert.equal(code, 2)
    assert.deepEqual(readdirSync(TMPDIR), [])
  })
}
