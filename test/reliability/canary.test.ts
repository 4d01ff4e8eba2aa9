/**
 * Canaries: known numbers, verification values, keys, passwords and contents go through a program
 * whose every output is recorded: its log, answers and messages, its tables, the files of its
 * database, its temporary files, its end by an error. They are only where they are meant to be.
 */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { writeElements } from '#iso8583/tlv48.ts'
import { form, png } from '#test/support/files.ts'
import {
  type Canary,
  cardNumbersIn,
  searchFor,
  shortValuesIn,
} from '#test/support/inspection/canary.ts'
import { keeper } from '#test/support/keeper.ts'
import { connectAcquirer } from '#test/support/network/acquirer.ts'
import { sale } from '#test/support/network/messages.ts'
import { format0, format4, pinKeys } from '#test/support/network/pins.ts'
import { FORM, newCheckout, pay } from '#test/support/network/purchases.ts'
import { dumpTables, openStage } from '#test/support/processes/stage.ts'
import { openReceiver, until } from '#test/support/services/receiver.ts'

const random = () => randomBytes(12).toString('hex')
const PASSWORD = `pass word/${random()}`
const HEADER = `Bearer+${random()}`
const CONTENT = `the content of a file ${random()}`
const FOREIGN_NUMBER = '4000056655665556'
/** No card here has them: they have a digit too many. A client may type anything. */
const WRONG_CVV2S = ['0873', '0874']
const UNUSUAL = /^0[6-9]\d$/
const CARDS_MAX = 500
const PIN_BLOCK = '7A3C91E5D2B8F604'
/** The longest PIN of a product, so that none is found by chance. */
const PIN = '728193640572'
const WIDGET_PIN = '491837260593'
const NAME = `Layla ${random()}`

const canaries: Canary[] = []
const short: string[] = []
const media = new Map<string, string>()

type Card = {
  id: string
  account_id: string
  card_number: string
  cvv2: string
  wrong_cvv2: string
  expiry_date: string
}

const keep = keeper()
const receiver = keep(await openReceiver())
const { received } = receiver
const stage = keep(await openStage())
before(async () => {
  await run(receiver.url)
  await keepMedia()
})

async function made(method: string, url: string, body?: object, meant = false) {
  const headers = { apikey: stage.sandbox.tenant.api_key }
  const text = body && JSON.stringify(body)
  const reported = await stage.ask({ method, url, headers, body: text, meant })
  assert.equal(reported.status, 200, `${reported.what}: ${reported.text}`)
  return JSON.parse(reported.text)
}

function note(name: string, value: string): void {
  canaries.push({ name, value })
}

async function run(endpoint: string): Promise<void> {
  const { sandbox, data_dir } = stage
  note('operator key', sandbox.operator_key)
  note('API key', sandbox.tenant.api_key)
  note('private key', sandbox.merchant.private_key)
  note('master key', readFileSync(join(data_dir, 'master.key'), 'utf8').trim())
  note('password', PASSWORD)
  note('header value', HEADER)
  note('content', CONTENT)
  note('PIN block', PIN_BLOCK)
  note('number of another issuer', FOREIGN_NUMBER)
  await playKeys(endpoint)
  const card = await playCards()
  await playLife(card)
  await playNetwork(card)
  await playShop(card)
  await playFile(card)
  await playFaults(card)
  await until('webhooks came', () => received.length > 3)
}

async function playKeys(endpoint: string): Promise<void> {
  const { operator_key, tenant } = stage.sandbox
  const keys = await stage.ask({
    method: 'POST',
    url: `/v1/operator/tenants/${tenant.id}/keys`,
    meant: true,
    headers: { apikey: operator_key, 'x-bezant-idempotency-key': 'once' },
    body: JSON.stringify({ permissions: ['read'] }),
  })
  note('new API key', JSON.parse(keys.text).key)
  const config = {
    basic_auth_username: 'shop',
    basic_auth_password: PASSWORD,
    custom_headers: [{ header_name: 'X-Shop', header_value: HEADER }],
  }
  const events = ['TRANSACTION', 'USER_STATUS_CHANGE', 'CARD_STATUS_CHANGE']
  const subscription = { endpoint, events, config }
  const { id, secret } = await made('POST', '/v1/webhooks', subscription, true)
  note('webhook secret', secret)
  note(
    'next webhook secret',
    (await made('POST', `/v1/webhooks/${id}:rotateSecret`, {}, true)).secret,
  )
  await made('POST', `/v1/webhooks/${id}:ping`)
  await made('GET', `/v1/webhooks/${id}`)
}

async function playCards(): Promise<Card> {
  const { card_product_id } = stage.sandbox.tenant
  const active = { initial_status_of_virtual_card: 'ACTIVE', pin: { length: PIN.length } }
  await made('PUT', `/v1/cardproducts/${card_product_id}`, active)
  const user = await made('POST', '/v1/users', { first_name: NAME, last_name: 'Aziz' })
  const issue = { user_id: user.id, card_product_id, card_type: 'VIRTUAL' }
  const cards: Omit<Card, 'wrong_cvv2'>[] = []
  // The last is one whose value is no status, currency or entry mode, which are in many places.
  while (
    (cards.length < 2 || !UNUSUAL.test(cards.at(-1)?.cvv2 ?? '')) &&
    cards.length < CARDS_MAX
  ) {
    const { id, account_id } = await made('POST', '/v1/cards', issue)
    const card = await made('GET', `/v1/cards/${id}:reveal`, undefined, true)
    cards.push({ ...card, id, account_id })
  }
  const card = cards.at(-1)
  assert.ok(card)
  note('number 0', card.card_number)
  // The last four digits of a card are shown, so the value is not those of any.
  const ends = cards.map(({ card_number }) => card_number.slice(-4))
  const wrong_cvv2 = WRONG_CVV2S.find((value) => !ends.includes(value))
  assert.ok(wrong_cvv2)
  short.push(card.cvv2, wrong_cvv2)
  for (const { card_number } of cards.slice(-4, -1)) note('another number', card_number)
  const { id: card_id, account_id, card_number, cvv2, expiry_date: expiry } = card
  await made('POST', `/v1/accounts/${account_id}:loadfunds`, { currency: 'AED', amount: 500 })
  const buy = (fields: object) =>
    made('POST', '/v1/simulate/authorizations', { amount: 1, currency: 'AED', ...fields })
  const bought = await buy({ card_id, cvv2, expiry })
  assert.equal(bought.status_code, '0000')
  await made('GET', `/v1/transactions/${bought.id}/messages`)
  await buy({ card_number, cvv2: wrong_cvv2, expiry })
  await buy({ card_number, expiry: '2020-01' })
  await made('PUT', `/v1/cards/${cards[0]?.id}:statuschange`, {
    status: 'SUSPENDED',
    status_reason_code: 'S0',
  })
  for (const list of ['cards', 'transactions', 'events', 'users']) await made('GET', `/v1/${list}`)
  return { ...card, wrong_cvv2 }
}

/** PINs by both ways, a wallet with right and wrong card data, the widget that shows the number. */
async function playLife(card: Card): Promise<void> {
  const { id, card_number, cvv2, wrong_cvv2, expiry_date } = card
  const { card_product_id } = stage.sandbox.tenant
  await made('PUT', `/v1/simulate/cardproducts/${card_product_id}/keys`, pinKeys)
  for (const key of [pinKeys.pvk, pinKeys.zpk, pinKeys.zpk_aes]) note('key of a product', key)
  note('PIN', PIN)
  note('PIN of a widget', WIDGET_PIN)
  const enc_pin = format4(PIN, card_number)
  note('PIN block of format 4', enc_pin)
  await made('PUT', `/v1/cards/${id}:changepin`, { enc_pin })

  const provision = (more: object) =>
    stage.ask({
      method: 'POST',
      url: '/v1/cards:provision',
      headers: { apikey: stage.sandbox.tenant.api_key },
      body: JSON.stringify({ card_number, expiry_date, cvv2, wallet: 'APPLE', ...more }),
    })
  assert.equal((await provision({ cvv2: wrong_cvv2 })).status, 409)
  const token = JSON.parse((await provision({})).text)
  const revealed = await made('GET', `/v1/tokens/${token.id}:reveal`, undefined, true)
  note('number of a token', revealed.token_number)

  const { base_url: origin } = stage.sandbox
  const widget = async (name: string, url: string, more: object = {}, meant = false) => {
    const token_body = { widget: name, origin }
    const opened = await made('POST', `/v1/cards/${id}:widgettoken`, token_body, true)
    note('token of a widget', opened.token)
    const { pathname, search } = new URL(opened.url)
    await stage.ask({ url: pathname + search, meant: true })
    const body = JSON.stringify({ token: opened.token, ...more })
    const reported = await stage.ask({ method: 'POST', url, headers: { origin }, body, meant })
    assert.ok(reported.status < 300, `${reported.what}: ${reported.text}`)
  }
  await widget('CARD_DETAILS', '/widgets/api/details', {}, true)
  await widget('SET_PIN', '/widgets/api/pin', { pin: WIDGET_PIN })
}

/** Sends messages of the network, also malformed ones and those of unknown cards. */
async function playNetwork(card: Card): Promise<void> {
  const { card_number: pan, cvv2, wrong_cvv2, expiry_date } = card
  const acquirer = await connectAcquirer({ port: stage.sandbox.network.port })
  const expiry = expiry_date.slice(2).replace('-', '')
  const track = `${pan}=${expiry}2010000012300000`
  note('track', track)
  const proofs = { 14: expiry, 48: writeElements([['92', cvv2]]) }
  const wrong = { ...proofs, 48: writeElements([['92', wrong_cvv2]]) }
  const pin_block = format0(PIN, pan)
  note('PIN block of format 0', pin_block)
  const pinned = { ...proofs, 22: '051', 35: track, 52: pin_block }
  const swiped = { 22: '901', 35: track, 52: PIN_BLOCK, 53: '0000000000000000' }
  for (const message of [
    sale({ pan, amount: 100n, fields: proofs }),
    sale({ pan, amount: 100n, fields: wrong }),
    sale({ pan, amount: 100n, fields: swiped }),
    sale({ pan, amount: 100n, fields: pinned }),
    sale({ pan, amount: 100n, fields: { ...proofs, 49: 'XXX' } }),
    sale({ pan: FOREIGN_NUMBER, amount: 100n, fields: proofs }),
  ]) {
    await acquirer.send(message).catch(() => undefined)
  }
  acquirer.raw(Buffer.from(`\x00\x200100${pan}${track}`))
  await acquirer.close()
}

async function playShop(card: Card): Promise<void> {
  const { public_key, private_key } = stage.sandbox.merchant
  const signedIn = await stage.ask({
    method: 'POST',
    url: '/api/v1.0/merchant/authentication',
    meant: true,
    body: JSON.stringify({ public_key, private_key }),
  })
  const { token } = JSON.parse(signedIn.text)
  note('merchant token', token)
  const call = async (method: string, path: string, body: object) => {
    const headers = { authorization: `Bearer ${token}` }
    const text = JSON.stringify(body)
    return stage.ask({ method, url: `/api/v1.0${path}`, headers, body: text })
  }
  const browse = (url: string, sent?: string) =>
    sent === undefined
      ? stage.ask({ url })
      : stage.ask({ method: 'POST', url, headers: FORM, body: sent })
  const checkout = newCheckout()
  const { checkout_url } = JSON.parse((await call('POST', '/checkouts', checkout)).text)
  const { pathname, search } = new URL(checkout_url)
  const mistyped = {
    card_number: FOREIGN_NUMBER.replace(/6$/, '7'),
    expiry: '01/20',
    cvv2: card.wrong_cvv2,
  }
  await browse(pathname + search, new URLSearchParams(mistyped).toString())
  await pay(browse, checkout_url, card)
  const captured = await call('POST', `/orders/${checkout.reference}/capture`, {})
  assert.equal(captured.status, 200, captured.text)
}

async function playFile({ id }: Card): Promise<void> {
  const { user_id } = await made('GET', `/v1/cards/${id}`)
  const documents = `/v1/users/${user_id}/identifications`
  const document = await made('POST', documents, { type: 'ADDITIONAL' })
  const filler = Buffer.from(`Comment\0${CONTENT}`)
  const { payload, headers } = form({ name: 'file', value: png({ filler }), file_name: 'a.png' })
  const apikey = stage.sandbox.tenant.api_key
  const url = `${documents}/${document.id}/files`
  const sent = { 'content-length': String(payload.length), ...headers, apikey }
  const reported = await stage.ask({ method: 'PUT', url, headers: sent, body: payload })
  assert.equal(reported.status, 200, reported.text)
}

/** Requests that fail, with what they must not hand on in every place. */
async function playFaults({ card_number, cvv2 }: Card): Promise<void> {
  const headers = { apikey: stage.sandbox.tenant.api_key }
  const post = (url: string, body: string, more: object = {}) =>
    stage.ask({ method: 'POST', url, headers: { ...headers, ...more }, body })
  const faults = [
    post('/v1/users', `{"first_name": "${card_number}`),
    post('/v1/users', JSON.stringify({ card_number, cvv2, track: card_number })),
    post('/v1/simulate/authorizations', JSON.stringify({ card_number, cvv2, amount: 'x' })),
    post('/v1/cards', JSON.stringify({ user_id: card_number, [card_number]: cvv2 })),
    post('/v1/users', card_number, { 'content-type': 'text/plain' }),
    stage.ask({ url: `/v1/cards/${card_number}`, headers }),
    stage.ask({ url: `/v1/cards?after=${card_number}`, headers }),
    stage.ask({ url: `/v1/nothing/${card_number}?cvv2=${cvv2}`, headers }),
    stage.ask({ url: '/v1/cards', headers: { apikey: `${headers.apikey}x` } }),
    stage.ask({ url: '/api/v1.0/orders', headers: { authorization: `Bearer ${headers.apikey}` } }),
  ]
  for (const { status, what } of await Promise.all(faults)) assert.ok(status >= 400, what)
}

async function keepMedia(): Promise<void> {
  const { exchanges, client } = stage
  media.set(
    'answers',
    exchanges
      .filter(({ meant }) => !meant)
      .map(({ text }) => text)
      .join('\n'),
  )
  media.set('webhooks', received.map(({ text }) => text).join('\n'))
  media.set('metrics', (await stage.ask({ url: '/metrics' })).text)
  const [number] = canaries.filter(({ name }) => name === 'number 0')
  await stage.crash(`card ${number?.value}, track ${number?.value}=2909201, no ${FOREIGN_NUMBER}`)
  media.set('log of the process', stage.output())
  media.set('tables', await dumpTables(client))
  await client.query('checkpoint')
  media.set('log of the database', stage.serverLog())
}

function text(name: string): string {
  return media.get(name) ?? assert.fail(`there is no ${name}`)
}

/** Canaries that a search finds, here and after they were planted. */
describe('no canary is found', () => {
  for (const name of [
    'answers',
    'webhooks',
    'metrics',
    'log of the process',
    'tables',
    'log of the database',
  ]) {
    test(`in the ${name}`, () => {
      const search = searchFor(canaries)
      assert.ok(text(name).length > 1_000)
      assert.deepEqual(search.inText(text(name)), [])
      assert.deepEqual(shortValuesIn(text(name), short), [])
    })

    test(`control: what is planted in the ${name} is found`, () => {
      const search = searchFor(canaries)
      for (const canary of canaries) {
        const found = search.inText(`${text(name)} ${canary.value}`)
        assert.ok(found.includes(`${canary.name} (plain)`), canary.name)
      }
      const planted = short.map((value) => `"${value}"`).join()
      assert.equal(shortValuesIn(`${text(name)} ${planted}`, short).length, short.length)
    })
  }

  for (const [name, folder] of [
    ['files of the database and in its write-ahead log', () => stage.cluster],
    ['temporary files', () => stage.temporary],
    ['file store', () => join(stage.data_dir, 'files')],
  ] as const) {
    test(`in the ${name}`, async () => {
      const search = searchFor(canaries)
      assert.deepEqual(search.inFolder(folder()), [])
    })
  }
})

describe('controls', () => {
  test('the statements were logged with their parameters', () => {
    assert.ok(text('log of the database').includes(NAME))
    assert.ok(text('tables').includes(NAME))
  })

  test('the error ended the process and was logged', () => {
    assert.match(text('log of the process'), /an unexpected error ends this process/)
    assert.match(text('log of the process'), /card \*\*\*\*, track/)
  })

  test('what is planted in a row is found in the files of the database, in each form', async () => {
    const { client, cluster } = stage
    await client.query('create table planted (text text, bytes bytea)')
    const search = searchFor(canaries)
    for (const { value } of canaries) {
      await client.query('insert into planted values ($1, $2)', [
        Buffer.from(value).toString('base64'),
        Buffer.from(value),
      ])
    }
    await client.query('delete from planted')
    await client.query('checkpoint')
    const found = search.inFolder(cluster)
    for (const form of ['plain', 'base64']) {
      const named = canaries.map(({ name }) => `${name} (${form})`)
      const missing = (place: string) =>
        named.filter((name) => !found.some((one) => one.startsWith(`${name} in ${place}/`)))
      assert.deepEqual(missing('base'), [])
      // The head of a page of the log may be in the middle of one.
      assert.ok(missing('pg_wal').length < 3)
    }
  })

  test('what is planted in a file is found', () => {
    const [{ name, value } = { name: '', value: '' }] = canaries
    writeFileSync(join(stage.temporary, 'planted'), Buffer.from(value).toString('hex'))
    assert.deepEqual(searchFor(canaries).inFolder(stage.temporary), [`${name} (hex) in planted`])
  })
})

describe('nothing that could be a card number', () => {
  test('is in what the process logged', () => {
    assert.deepEqual(cardNumbersIn(text('log of the process')), [])
  })

  test('control: one that is logged would be found', () => {
    assert.deepEqual(cardNumbersIn(`${text('log of the process')} ${FOREIGN_NUMBER}`), [
      FOREIGN_NUMBER,
    ])
  })
})
