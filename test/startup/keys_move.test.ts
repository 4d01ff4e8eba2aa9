/** `bezant keys move --to hsm` beside the program: from software into a module (D-1010). */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { macIn } from '#iso8583/mac_field.ts'
import { decode, encode } from '#iso8583/message.ts'
import { writeElements } from '#iso8583/tlv48.ts'
import { checkValueOf, TdesKey } from '#lib/ciphers.ts'
import { Secret } from '#lib/secret.ts'
import { isMac, type MacMethod } from '#mac/mac.ts'
import { startSimulator } from '#sandbox/hsm/simulator.ts'
import { format0, pinKeys } from '#test/support/network/pins.ts'
import { type Line, openScheme } from '#test/support/network/scheme.ts'
import { dataFolder, type Launched, launch, sandboxIn } from '#test/support/processes/process.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/processes/server.ts'
import { moduleSettings } from '#test/support/services/custody.ts'
import { zoneKeyUnderLmk } from '#test/support/services/zone_keys.ts'

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

const ZMK = '0123456789ABCDEFFEDCBA9876543210'
const ZAK = '11112222333344445555666677778888'
const method: MacMethod = { algorithm: 'iso9797_3', padding: 2 }
const tdes = (hex: string) => new TdesKey(new Secret(Buffer.from(hex, 'hex')))

/** A network to which the program connects; its zone master key is as the custody wants it. */
function networkOf(port: number, zmk: string): { NETWORKS_FILE: string } {
  const folder = dataFolder()
  mkdirSync(folder, { recursive: true })
  const [file, zmk_file] = [join(folder, 'networks.json'), join(folder, 'zmk')]
  const mac = { required: true, ...method }
  const addresses = [`127.0.0.1:${port}`]
  const one = { name: 'scheme', role: 'connect', addresses, mac, keys: { zmk_file } }
  writeFileSync(zmk_file, zmk)
  writeFileSync(file, JSON.stringify([one]))
  return { NETWORKS_FILE: file }
}

/** Whether the sign-on of the program comes with a right code. */
async function isSealed(line: Line): Promise<boolean> {
  const bytes = await line.next()
  const decoded = decode(bytes, 'ascii')
  assert.ok(decoded.ok)
  assert.equal(decoded.message.fields[70], '001')
  const code = macIn(bytes, decoded.message, 'ascii')
  return code !== undefined && isMac(tdes(ZAK), method, code.covered, code.mac)
}

async function bringKey(line: Line): Promise<void> {
  const key = tdes(ZMK).encrypt(Buffer.from(ZAK, 'hex')).toString('hex').toUpperCase()
  const text = writeElements([
    ['11', key],
    ['12', checkValueOf(tdes(ZAK))],
    ['13', 'ZAK'],
  ])
  const fields = { 7: '0612101530', 11: '000001', 33: '9', 48: text, 70: '162' }
  line.put(encode({ mti: '0800', fields }, 'ascii'))
  const answer = decode(await line.next(), 'ascii')
  assert.ok(answer.ok)
  assert.equal(answer.message.fields[39], '00')
}

test('keys go into the module while the program serves, and do not come back', async () => {
  await using scheme = await openScheme()
  const inSoftware = networkOf(scheme.port, ZMK)
  const inModule = networkOf(scheme.port, zoneKeyUnderLmk(ZMK))
  const before = await start(inSoftware)
  const line = await scheme.line()
  assert.equal(await isSealed(line), false)
  await bringKey(line)
  assert.equal(await isSealed(line), true, 'the sign-on is sent again')
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

  const moving = await start({ ...hsm, ...inModule })
  assert.equal(await isSealed(await scheme.line()), true)
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
  const again = await start({ ...hsm, ...inModule })
  assert.equal(await isSealed(await scheme.line()), true, 'the module has the key of the network')
  assert.equal(await foundOf(card_id, '4831'), 'right')
  await stop(again)
})

test('a zone master key in the clear is refused where the keys are in a module', async () => {
  const file = networkOf(9, ZMK)
  const started = run({ ...hsm, ...file }, 'src/main.ts')
  assert.equal(await started.ended, 1)
  assert.match(started.errors().join('\n'), /zmk_file of scheme has a key in the clear/)
})
