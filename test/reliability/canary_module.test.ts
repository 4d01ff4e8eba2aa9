/**
 * Canaries in the custody of a security module (D-1014): known PINs, PIN blocks, keys, numbers and
 * verification values go through a program that logs all it can: keys that come in, new PINs,
 * purchases by chip and PIN, card data that is shown, a batch for the bureau, a module that fails.
 * Neither they nor what was sent to the module are in its log.
 */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { writeElements } from '#iso8583/tlv48.ts'
import { TdesKey } from '#lib/ciphers.ts'
import { Secret } from '#lib/secret.ts'
import { decodeFormat0 } from '#pin/format0.ts'
import { wrapKeyBlock } from '#pin/tr31.ts'
import { startSimulator } from '#sandbox/hsm/simulator.ts'
import { createClients } from '#test/support/clients.ts'
import {
  type Canary,
  cardNumbersIn,
  searchFor,
  shortValuesIn,
} from '#test/support/inspection/canary.ts'
import { keeper } from '#test/support/keeper.ts'
import { connectAcquirer } from '#test/support/network/acquirer.ts'
import { CHIP_KEYS, openChip } from '#test/support/network/chips.ts'
import { PROTECTION_KEY } from '#test/support/network/key_blocks.ts'
import { sale } from '#test/support/network/messages.ts'
import { format0, format4, pinKeys } from '#test/support/network/pins.ts'
import { openTap } from '#test/support/network/tap.ts'
import { dataFolder, launch, sandboxIn } from '#test/support/processes/process.ts'
import { createTestDatabase } from '#test/support/processes/server.ts'
import { openBureau, ZPK } from '#test/support/services/bureau.ts'
import { moduleSettings } from '#test/support/services/custody.ts'
import { until } from '#test/support/services/receiver.ts'
import { zoneKeyUnderLmk } from '#test/support/services/zone_keys.ts'

/** The longest PINs, so that none is found by chance. */
const FIRST_PIN = '728193640572'
const SECOND_PIN = '491837260593'
const WIDGET_PIN = '604918273657'
const WRONG_PIN = '382915746028'
const CVK = '5D8AB3C1E67F20493B9E4A2CD5F1076E'
const IMK_SMC = '6E1F29A4C7B3850DA2D9F47C68310BE5'
const MAILERS = 12
/** Values of a card that are no status, currency or entry mode, which are in many places. */
const UNUSUAL = /^0[6-9]\d$/

const keep = keeper()
const simulator = keep(await startSimulator({ port: 0, header: 4, delay_ms: 0 }))
const tap = keep(await openTap(simulator.port))
const bureau = keep(openBureau())
const database = await createTestDatabase()
keep({ close: () => database.drop() })
const DATA_DIR = dataFolder()
const program = launch({
  ...{ DATA_DIR, DATABASE_URL: database.url, MASTER_KEY: randomBytes(32).toString('hex') },
  ...{ ...moduleSettings(tap.port), ...bureau.env, LOG_LEVEL: 'debug' },
})
keep({ close: async () => program.kill('SIGKILL') })
await program.ready
const { base_url, tenant, operator_key, network } = sandboxIn(DATA_DIR)
const clients = keep(createClients(Number(new URL(base_url).port)))

const canaries: Canary[] = []
const short: string[] = []
let log = ''

function note(name: string, value: string): void {
  canaries.push({ name, value })
  if (value !== value.toLowerCase()) canaries.push({ name, value: value.toLowerCase() })
}

async function send(method: string, url: string, body?: object, headers: object = {}) {
  const message = { method, url, headers: { apikey: tenant.api_key, ...headers } }
  return clients.ask({ ...message, body: body && JSON.stringify(body) })
}
async function ask(method: string, path: string, body?: object, apikey = tenant.api_key) {
  const { status, text } = await send(method, `/v1/${path}`, body, { apikey })
  assert.equal(status, 200, `${method} ${path}: ${text}`)
  return JSON.parse(text)
}
const operate = (method: string, path: string, body: object) =>
  ask(method, `operator/${path}`, body, operator_key)

const bytes = (hex: string) => new Secret(Buffer.from(hex, 'hex'))

type Card = { id: string; pan: string; cvv2: string; expiry: string }

async function makeProduct(): Promise<string> {
  const { id } = await ask('POST', 'cardproducts', {
    ...{ name: 'Travel', currency: 'AED', bin: '400127' },
    initial_status_of_virtual_card: 'ACTIVE',
    pin: { length: FIRST_PIN.length, verification: 'OFFSET' },
    production: { pin_mailer: true },
  })
  const keys = { ...pinKeys, ...CHIP_KEYS, cvk: CVK }
  await ask('PUT', `simulate/cardproducts/${id}/keys`, keys)
  const { pvki: _index, ...secret } = keys
  for (const [name, key] of Object.entries(secret)) note(`the key ${name}`, key)
  await bringKey(id)
  return id
}

/** A key in a key block, under a transport key that the module has. */
async function bringKey(product: string): Promise<void> {
  const path = `tenants/${tenant.id}/cardproducts/${product}`
  const key = zoneKeyUnderLmk(PROTECTION_KEY)
  const header = { version: 'B', key_usage: 'E1', algorithm: 'T', mode_of_use: 'X' } as const
  const key_block = wrapKeyBlock(
    { ...header, key_version: '00', exportability: 'E' },
    bytes(IMK_SMC),
    bytes(PROTECTION_KEY),
    randomBytes(40),
  )
  await operate('PUT', `${path}/keyblockprotectionkey`, { key })
  await operate('POST', `${path}/keys`, { name: 'imk_smc', key_block })
  note('the protection key', PROTECTION_KEY)
  note('the protection key under the master key', key)
  note('the key imk_smc', IMK_SMC)
  note('a key block', key_block)
}

async function makeCard(user_id: string, card_product_id: string): Promise<Card> {
  const issued = { user_id, card_product_id, card_type: 'VIRTUAL' }
  const { id, account_id } = await ask('POST', 'cards', issued)
  const { card_number: pan, cvv2, expiry_date } = await ask('GET', `cards/${id}:reveal`)
  await ask('POST', `accounts/${account_id}:loadfunds`, { currency: 'AED', amount: 500 })
  note('the number of a card', pan)
  short.push(cvv2)
  return { id, pan, cvv2, expiry: expiry_date.slice(2).replace('-', '') }
}

async function setPins({ id, pan }: Card): Promise<void> {
  const blocks = [format4(FIRST_PIN, pan), format0(SECOND_PIN, pan)]
  for (const enc_pin of blocks) {
    await ask('PUT', `cards/${id}:changepin`, { enc_pin })
    note('a PIN block', enc_pin)
  }
  const refused = await send('PUT', `/v1/cards/${id}:changepin`, { enc_pin: blocks[1] })
  assert.equal(refused.status, 400)
  for (const pin of [FIRST_PIN, SECOND_PIN, WIDGET_PIN, WRONG_PIN]) note('a PIN', pin)
  await widget(id, 'CARD_DETAILS', 'details')
  await widget(id, 'SET_PIN', 'pin', { pin: WIDGET_PIN })
}

async function widget(id: string, name: string, path: string, more: object = {}): Promise<void> {
  const opened = await ask('POST', `cards/${id}:widgettoken`, { widget: name, origin: base_url })
  const body = { token: opened.token, ...more }
  const reported = await send('POST', `/widgets/api/${path}`, body, { origin: base_url })
  assert.ok(reported.status < 300, `${name}: ${reported.text}`)
}

async function pay({ pan, cvv2, expiry }: Card): Promise<() => Promise<string | undefined>> {
  const acquirer = keep(await connectAcquirer({ port: network.port }))
  await acquirer.signOn()
  const chip = openChip(pan)
  const buy = async (fieldsOf: () => object) => {
    for (;;) {
      const fields = { 14: expiry, ...fieldsOf() }
      const answer = await acquirer.send(sale({ pan, amount: 100n, fields }))
      // A busy machine may decide too late: the terminal tries again.
      if (answer.fields[39] !== '91') return answer.fields[39]
    }
  }
  const byPin = (pin: string, zpk = pinKeys.zpk) => {
    const block = format0(pin, pan, zpk)
    note('a PIN block', block)
    return buy(() => ({ 22: '051', 25: '00', 52: block, 55: chip.data() }))
  }
  assert.equal(await byPin(WIDGET_PIN), '00')
  assert.equal(await byPin(WRONG_PIN), '55')
  assert.equal(await byPin(WIDGET_PIN, PROTECTION_KEY), '55', 'a block under another key')
  assert.equal(await byPin(WIDGET_PIN), '00')
  const wrong = String((Number(cvv2) + 1) % 1_000).padStart(3, '0')
  assert.equal(await buy(() => ({ 48: writeElements([['92', cvv2]]) })), '00')
  assert.notEqual(await buy(() => ({ 48: writeElements([['92', wrong]]) })), '00')
  short.push(wrong)
  return () => byPin(WIDGET_PIN)
}

async function orderMailers(user_id: string, card_product_id: string): Promise<void> {
  const issued = { user_id, card_product_id, card_type: 'PHYSICAL', name_on_card: 'Aisha Khan' }
  for (let at = 0; at < MAILERS; at += 1) await ask('POST', 'cards', issued)
  await operate('POST', 'cardorders:send', { tenant_id: tenant.id })
  await until('the file is sent', () => bureau.files().length > 0)
  const records = bureau.records()
  assert.equal(records.length, MAILERS)
  note('the key of mailers', ZPK)
  for (const { pan = '', cvv2 = '', icvv = '', pin_block = '', ...record } of records) {
    const pin = decodeFormat0(
      Buffer.from(pin_block, 'hex'),
      new Secret(pan),
      new TdesKey(bytes(ZPK)),
    )
    assert.equal(pin?.reveal().length, FIRST_PIN.length)
    note('the PIN of a mailer', pin?.reveal() ?? '')
    note('the block of a mailer', pin_block)
    note('the number of a physical card', pan)
    note('track 1', record['track1'] ?? '')
    note('track 2', record['track2'] ?? '')
    note('an offset', record['pvv'] ?? '')
    short.push(cvv2, icvv)
  }
}

/** The module is gone, and all that needs it fails. */
async function failAll({ id, pan }: Card, payByPin: () => Promise<string | undefined>) {
  await simulator.close()
  await tap.close()
  assert.equal(await payByPin(), '96')
  const enc_pin = format0(FIRST_PIN, pan)
  note('a PIN block', enc_pin)
  const failed = [
    await send('PUT', `/v1/cards/${id}:changepin`, { enc_pin }),
    await send('GET', `/v1/cards/${id}:reveal`),
  ]
  assert.deepEqual(
    failed.map(({ status }) => status),
    [503, 503],
  )
}

before(async () => {
  for (const [name, value] of Object.entries(moduleSettings(1))) {
    if (name.startsWith('HSM_TRANSPORT')) note(name, value)
  }
  const user = await ask('POST', 'users', { first_name: 'Aisha', last_name: 'Khan' })
  const product = await makeProduct()
  const card = await makeCard(user.id, product)
  await setPins(card)
  const payByPin = await pay(card)
  await orderMailers(user.id, product)
  await failAll(card, payByPin)
  program.kill('SIGTERM')
  assert.equal(await program.ended, 0)
  log = `${program.output()}\n${program.errors().join('\n')}`
})

/** Pieces of what the module was sent, each of which is in any longer part of it. */
function piecesSent(): string[] {
  const text = tap.sent().toString('latin1')
  const pieces = new Set<string>()
  for (const [run] of text.matchAll(/[0-9A-F]{16,}/g)) {
    for (let at = 0; at + PIECE <= run.length; at += PIECE / 2)
      pieces.add(run.slice(at, at + PIECE))
  }
  return [...pieces].filter((piece) => new Set(piece).size >= PIECE / 4)
}
const PIECE = 16

const isUnusual = (value: string) => UNUSUAL.test(value)
const piecesIn = (text: string) => {
  const searched = text.toUpperCase()
  return piecesSent().filter((piece) => searched.includes(piece))
}

describe('the log of a program whose keys are in a module', () => {
  test('has its debug lines, and what the module was asked is known', () => {
    assert.match(log, /"level":"?(20|debug)/)
    assert.ok(piecesSent().length > 100)
    assert.ok(canaries.length > 50)
  })

  test('has no PIN, PIN block, key, number, track or value of a card', () => {
    assert.deepEqual(searchFor(canaries).inText(log), [])
    assert.deepEqual(cardNumbersIn(log), [])
    assert.deepEqual(shortValuesIn(log, short.filter(isUnusual)), [])
  })

  test('has no part of a command to the module', () => {
    assert.deepEqual(piecesIn(log), [])
  })

  test('control: what is planted is found', () => {
    const search = searchFor(canaries)
    for (const { name, value } of canaries) {
      assert.ok(search.inText(`${log} ${value}`).includes(`${name} (plain)`), name)
    }
    const [piece = ''] = piecesSent()
    assert.deepEqual(piecesIn(`${log} ${piece.toLowerCase()}`), [piece])
  })
})
