/** The program with its data keys at a key service, and on the way from there to a master key. */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { dataFolder, type Launched, launch, sandboxIn } from '#test/support/processes/process.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/processes/server.ts'
import { openTransit, type Transit } from '#test/support/services/transit.ts'

const DATA_DIR = dataFolder()
const MASTER_KEY = randomBytes(32).toString('hex')

let database: TestDatabase
let transit: Transit
let kms: Record<string, string>
before(async () => {
  database = await createTestDatabase()
  transit = await openTransit()
  kms = { KMS_URL: transit.url, KMS_KEY: transit.key, KMS_TOKEN: transit.token }
})
after(async () => {
  await transit.close()
  await database.drop()
})

const run = (env: object, ...args: string[]) =>
  launch({ DATA_DIR, DATABASE_URL: database.url, LOG_LEVEL: 'debug', ...env }, args)
const start = (env: object) => run(env, 'src/main.ts')

async function serve(started: Launched): Promise<void> {
  await started.ready
  const { base_url, tenant } = sandboxIn(DATA_DIR)
  const { api_key: apikey, card_product_id } = tenant
  const ask = async (path: string, body?: object) => {
    const sent = body && { method: 'POST', body: JSON.stringify(body) }
    const headers = { apikey, ...(body && { 'content-type': 'application/json' }) }
    const answer = await fetch(`${base_url}/v1${path}`, { ...sent, headers })
    assert.equal(answer.status, 200, path)
    return JSON.parse(await answer.text())
  }
  const user = await ask('/users', { first_name: 'Layla' })
  const card = { user_id: user.id, card_product_id, card_type: 'VIRTUAL' }
  const { id } = await ask('/cards', card)
  assert.equal((await ask(`/cards/${id}:reveal`)).card_number.length, 16)
  started.kill('SIGTERM')
  assert.equal(await started.ended, 0)
  assert.ok(!started.output().includes(transit.token))
}

async function assertFails(started: Launched, message: RegExp): Promise<void> {
  assert.equal(await started.ended, 1, started.output())
  const lines = started.errors().filter((line) => !line.startsWith('{'))
  assert.equal(lines.length, 1, lines.join('\n'))
  assert.match(lines[0] ?? '', message)
  assert.ok(!started.output().concat(lines.join()).includes(transit.token))
}

test('it starts and serves with a key service, and wraps only once', async () => {
  await serve(start(kms))
  const wrapped = transit.calls.filter(({ what }) => /encrypt/.test(what)).length
  await serve(start(kms))
  assert.equal(transit.calls.filter(({ what }) => /encrypt/.test(what)).length, wrapped)
})

test('a start whose key service rejects the token or is away fails with one line', async () => {
  const wrong_token = start({ ...kms, KMS_TOKEN: 's.other' })
  await assertFails(wrong_token, /^bezant cannot start: the key service rejects the token: renew/)
  await assertFails(start({ ...kms, KMS_KEY: 'other' }), /has no transit key other: make it, or/)
  await assertFails(start({ MASTER_KEY }), /^bezant cannot start: MASTER_KEY does not open/)
})

test('its data keys move to a master key, with which it starts and serves', async () => {
  const moved = run({ ...kms, MASTER_KEY_NEW: MASTER_KEY }, 'apps/cli/bezant.mjs', 'keys', 'rewrap')
  assert.equal(await moved.ended, 0, moved.errors().join('\n'))
  await serve(start({ MASTER_KEY }))
  await assertFails(start(kms), /were not wrapped by a key service: set MASTER_KEY instead/)
})

test('a command that cannot run fails with the reason', async () => {
  const aimless = run({ MASTER_KEY }, 'apps/cli/bezant.mjs', 'keys', 'rewrap')
  await assertFails(aimless, /one of MASTER_KEY_NEW or KMS_URL_NEW must be set/)
})
