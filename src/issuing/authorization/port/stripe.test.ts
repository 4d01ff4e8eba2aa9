/**
 * The proofs of a track and a chip over the wire (D-119, D-325): real messages, the real engine.
 */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cvvOf } from '#cvv/cvv.ts'
import type { Fields } from '#iso8583/message.ts'
import { TdesKey } from '#lib/ciphers.ts'
import { Secret } from '#lib/secret.ts'
import { PROFILES } from '#src/program/modes/profiles.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { keeper } from '#test/support/keeper.ts'
import { connectAcquirer } from '#test/support/network/acquirer.ts'
import { CHIP_KEYS, openChip } from '#test/support/network/chips.ts'
import { sale } from '#test/support/network/messages.ts'
import { openWorld } from '#test/support/world.ts'
import { createTenantFinder, Engine } from '../authorization.ts'
import { createNetworkPort } from './port.ts'

const CVK = '0123456789ABCDEFFEDCBA9876543210'
const cvk = new TdesKey(new Secret(Buffer.from(CVK, 'hex')))
/** DE55 with a cryptogram (9F26) and nothing else. */
const CRYPTOGRAM = '9F26081122334455667788'

const keep = keeper()
const world = keep(await openWorld({ settings: { card_verification_max_tries: 0 } }))
const issuer = await openIssuer(world)

async function openPort(engine: Engine) {
  const network = keep(
    createNetworkPort({
      host: '127.0.0.1',
      port: 0,
      dialect: 'ascii',
      header: 'binary2',
      log: world.log,
      engine: {
        submit: engine.submit.bind(engine),
        tenantOfPan: createTenantFinder(world.services),
      },
    }),
  )
  const acquirer = keep(await connectAcquirer({ port: (await network.listen()).port }))
  await acquirer.signOn()
  return { network, acquirer }
}
const sandbox = await openPort(world.engine)
const live = await openPort(new Engine({ ...world.services, profile: PROFILES.live }))

/** An account with 1,000.00, of a product of its own whose CVK is known. */
async function newCard(product: object = {}) {
  const { card_id } = await issuer.card(1_000, { name: 'Stripe', ...product })
  const { card_product_id } = (await issuer.call('GET', `/v1/cards/${card_id}`)).body
  await issuer.call('PUT', `/v1/simulate/cardproducts/${card_product_id}/keys`, {
    ...CHIP_KEYS,
    cvk: CVK,
  })
  const { body } = await issuer.call('GET', `/v1/cards/${card_id}:reveal`)
  const pan: string = body.card_number
  const expiry: string = body.expiry_date.slice(2).replace('-', '')
  const valueUnder = (service_code: string) =>
    cvvOf({ cvk, pan: new Secret(pan), expiry_yymm: expiry, service_code }).reveal()
  /** Track 2 with this service code, and the value that belongs to it unless another is given. */
  const track = (service_code: string, value = valueUnder(service_code), month = expiry) =>
    `${pan}=${month}${service_code}00000${value}`
  return { pan, expiry, track, valueUnder, cvv2: body.cvv2, card_product_id }
}
/** Two values of one card are the same in three of a thousand cases: another card is taken then. */
async function newCardOfThreeValues() {
  for (;;) {
    const card = await newCard()
    const values = [card.cvv2, card.valueUnder('201'), card.valueUnder('999')]
    if (new Set(values).size === values.length) return card
  }
}
const card = await newCardOfThreeValues()
const other = card.expiry === '3001' ? '3002' : '3001'

const de39Of = async (fields: Fields, { acquirer } = sandbox, pan = card.pan) => {
  const message = sale({ pan, amount: 100n, fields: { 25: '00', ...fields } })
  return (await acquirer.send(message)).fields[39]
}

describe('a stripe', () => {
  for (const entry of ['901', '911', '801']) {
    test(`read as ${entry} proves itself by its own value alone`, async () => {
      const rows: [track: string | undefined, de39: string][] = [
        [card.track('201'), '00'],
        [card.track('201', card.cvv2), '82'],
        [card.track('000'), '82'],
        [card.track('000', card.cvv2), '82'],
        [card.track('999'), '82'],
        [undefined, '82'],
      ]
      for (const [track, de39] of rows) assert.equal(await de39Of({ 22: entry, 35: track }), de39)
    })
  }

  test('that is not reliable still needs a track, and no service code of CVV2 or iCVV', async () => {
    const rows: [track: string | undefined, de39: string][] = [
      [card.track('201', '000'), '00'],
      [card.track('000'), '82'],
      [card.track('999'), '82'],
      [undefined, '82'],
    ]
    for (const [track, de39] of rows) assert.equal(await de39Of({ 22: '021', 35: track }), de39)
  })

  test('proves nothing by track 1: it is not read', async () => {
    const track1 = `B${card.pan}^KHAN/AISHA^${card.expiry}201000000000${card.valueUnder('201')}`
    for (const entry of ['901', '021']) assert.equal(await de39Of({ 22: entry, 45: track1 }), '82')
  })

  test('with another expiry is 1804 beside a right DE14, however it was read', async () => {
    const track = card.track('201', undefined, other)
    for (const entry of ['901', '801', '021', '051', '071', '812']) {
      assert.equal(await de39Of({ 14: card.expiry, 22: entry, 35: track }), '54', entry)
      assert.equal(await de39Of({ 14: other, 22: entry, 35: card.track('201') }), '54', entry)
    }
  })
})

describe('a chip', () => {
  const chip = openChip(card.pan)

  test('proves its track by iCVV alone', async () => {
    for (const entry of ['051', '071']) {
      const rows: [value: string, de39: string][] = [
        [card.valueUnder('999'), '00'],
        [card.valueUnder('201'), '82'],
        [card.cvv2, '82'],
      ]
      for (const [value, de39] of rows) {
        const track = card.track('201', value)
        assert.equal(await de39Of({ 22: entry, 35: track, 55: chip.data() }), de39)
      }
    }
  })

  test('proves itself by a right cryptogram, in sandbox and in live', async () => {
    for (const by of [sandbox, live]) {
      for (const entry of ['051', '071', '091']) {
        assert.equal(await de39Of({ 22: entry, 55: chip.data() }, by), '00', entry)
        assert.equal(await de39Of({ 22: entry, 55: CRYPTOGRAM }, by), '82', entry)
      }
      assert.equal(await de39Of({ 22: '091' }, by), '00', 'without a cryptogram it is no chip')
      assert.equal(await de39Of({ 22: '901', 35: card.track('201') }, by), '00', 'nor is a stripe')
    }
  })

  test('of a product without keys goes by that product from the next authorization on', async () => {
    const { pan, card_product_id } = await newCard({ emv: 'REQUIRED' })
    const path = `/v1/cardproducts/${card_product_id}`
    const keys = await issuer.call('PUT', `/v1/simulate/cardproducts/${card_product_id}/keys`, {
      imk_ac: null,
    })
    assert.equal(keys.status, 200, keys.text)
    assert.equal('imk_ac' in keys.body.check_values, false)
    const put = async (emv: 'REQUIRED' | 'WAIVED' | null) => {
      const { status, body, text } = await issuer.call('PUT', path, { emv })
      assert.equal(status, 200, text)
      return body.emv
    }
    assert.equal(await de39Of({ 22: '051' }, sandbox, pan), '82')
    assert.equal(await put('WAIVED'), 'WAIVED')
    for (const by of [sandbox, live]) assert.equal(await de39Of({ 22: '051' }, by, pan), '00')
    assert.equal(await put('REQUIRED'), 'REQUIRED')
    for (const by of [sandbox, live]) assert.equal(await de39Of({ 22: '051' }, by, pan), '82')
    assert.equal(await put(null), 'WAIVED', 'the default of the sandbox')
    assert.equal(await de39Of({ 22: '051' }, sandbox, pan), '00')
    assert.equal(await de39Of({ 22: '051' }, live, pan), '82', 'never set, live requires it')
  })
})
