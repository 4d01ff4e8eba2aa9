/** `bezant keys move --to hsm` beside the program: from software into a module (D-1010). */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { startSimulator } from '#sandbox/hsm/simulator.ts'
import { format0, pinKeys } from '#test/support/network/pins.ts'
import { dataFolder, type Launched, launch, sandboxIn } from '#test/support/processes/process.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/processes/server.ts'
import { moduleSettings } from '#test/support/services/custody.ts'

const DATA_DIR = dataFolder()
const MASTER_KEY = randomBytes(32).toString('hex')
const CLI = 'apps/cli/bezant.mjs'

let database: TestDatabase
let simulator: Awaited<ReturnType<typeof startSimulator>>
let hsm: Record<string, string>
before(async () => {
  database = await createTestDatabase()
  simulator = await startSimulator({ port: 0, header: 4, delay_ms: 0 })
  hsm = { ...moduleSettings(simulator.port), HSM_TIMEOUT_MS: '30000' }
})
after(async () => {
  await simulator.close()
  await database.drop()
})

const run = (env: object, ...args: string[]) =>
  launch({ DATA_DIR, MASTER_KEY, DATABASE_URL: database.url, ...env }, args)
const start = async (env: object) => {
  const started = run(env, 'src/main.ts')
  await started.ready
  return started
}
async function stop(started: Launched): Promise<void> {
  started.kill('SIGTERM')
  assert.equal(await started.ended, 0, started.output())
}

async function move(): Promise<{ code: number | null; said: string }> {
  const moving = run(hsm, CLI, 'keys', 'move', '--to', 'hsm')
  const code = await moving.ended
  return { code, said: `${moving.output()}\n${moving.errors().join('\n')}` }
}

async function ask(method: string, path: string, body?: object) {
  const { base_url, tenant } = sandboxIn(DATA_DIR)
  const headers = { apikey: tenant.api_key, ...(body && { 'content-type': 'application/json' }) }
  const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) }
  const answer = await fetch(`${base_url}/v1${path}`, sent)
  const text = await answer.text()
  assert.equal(answer.status, 200, `${path}: ${text}`)
  return JSON.parse(text)
}

/** A card whose PIN is 4831. */
async function pinned(): Promise<string> {
  const { card_product_id } = sandboxIn(DATA_DIR).tenant
  await ask('PUT', `/simulate/cardproducts/${card_product_id}/keys`, pinKeys)
  await ask('PUT', `/cardproducts/${card_product_id}`, { initial_status_of_virtual_card: 'ACTIVE' })
  const user = await ask('POST', '/users', { first_name: 'Layla' })
  const card = { user_id: user.id, card_product_id, card_type: 'VIRTUAL' }
  const { id } = await ask('POST', '/cards', card)
  const { card_number } = await ask('GET', `/cards/${id}:reveal`)
  await ask('PUT', `/cards/${id}:changepin`, { enc_pin: format0('4831', card_number) })
  return id
}

/** The finding about a PIN: the card has no funds, which is looked at later. */
async function foundOf(card_id: string, pin: string): Promise<string> {
  const body = { card_id, amount: 1, currency: 'AED', transaction_type: 'WITHDRAWAL', pin }
  const { status_code } = await ask('POST', '/simulate/authorizations', body)
  return status_code === '1017' ? 'wrong' : 'right'
}

test('keys go into the module while the program serves, and do not come back', async () => {
  const before = await start({})
  const card_id = await pinned()
  assert.equal(await foundOf(card_id, '4831'), 'right')
  const first = await move()
  assert.match(first.said, /Keys may be moved now\. Restart every process with HSM_ADDRESS/)
  assert.equal(first.code, 0)
  assert.equal(await foundOf(card_id, '4831'), 'right')
  const early = await move()
  assert.equal(early.code, 1)
  assert.match(early.said, /these processes know of no security module yet/)
  await stop(before)

  const moving = await start(hsm)
  assert.equal(await foundOf(card_id, '4831'), 'right')
  const second = await move()
  assert.match(second.said, /The keys are in the security modules: [1-9][0-9]* card products/)
  assert.equal(second.code, 0)
  assert.equal(await foundOf(card_id, '4831'), 'right')
  assert.equal(await foundOf(card_id, '5924'), 'wrong')
  await stop(moving)

  const without = run({}, 'src/main.ts')
  assert.equal(await without.ended, 1)
  assert.match(
    without.errors().join('\n'),
    /keys of this database are in a module: set HSM_ADDRESS/,
  )
  const again = await start(hsm)
  assert.equal(await foundOf(card_id, '4831'), 'right')
  await stop(again)
})
