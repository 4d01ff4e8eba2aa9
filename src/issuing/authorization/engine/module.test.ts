/** Decisions whose proofs are asked of a security module: when it is there, and when it is not. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lockPins } from '#issuing/vault/vault.ts'
import { transact } from '#kit/context.ts'
import { Secret } from '#lib/secret.ts'
import { startSimulator } from '#sandbox/hsm/simulator.ts'
import { purchase, type TestMessage } from '#test/support/desk.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { keeper } from '#test/support/keeper.ts'
import { CHIP_KEYS, openChip } from '#test/support/network/chips.ts'
import { format0, format4, oneNumber, pinKeys, preparePins } from '#test/support/network/pins.ts'
import { moduleSettings } from '#test/support/services/custody.ts'
import { until } from '#test/support/services/receiver.ts'
import { openWorld } from '#test/support/world.ts'

const keep = keeper()
let simulator = await startSimulator({ port: 0, header: 4, delay_ms: 0 })
const { port } = simulator
keep({ close: () => simulator.close() })
const env = moduleSettings(port)
const world = keep(await openWorld({ env }))
const issuer = await openIssuer(world)
const tenant_id = world.tenant.id
const submit = (request: TestMessage) => world.engine.submit(tenant_id, { request })
const codeOf = async (request: TestMessage) => (await submit(request)).status_code

type Own = { card_id: string; number: string; cvv2: string; expiry: string }

/** A card with a chip whose PIN is 4831, under keys of the tests. */
async function newCard(): Promise<Own> {
  const { card_id } = await issuer.card(1_000, oneNumber)
  const number = await preparePins(world, card_id, issuer.tenant.api_key)
  const { card_product_id } = (await issuer.call('GET', `/v1/cards/${card_id}`)).body
  await issuer.call('PUT', `/v1/simulate/cardproducts/${card_product_id}/keys`, CHIP_KEYS)
  const path = `/v1/cards/${card_id}:changepin`
  assert.equal((await issuer.call('PUT', path, { enc_pin: format4('4831', number) })).status, 200)
  const { body } = await issuer.call('GET', `/v1/cards/${card_id}:reveal`)
  const expiry = body.expiry_date.slice(2).replace('-', '')
  return { card_id, number, cvv2: body.cvv2, expiry }
}

const withPin = ({ card_id, number }: Own, pin: string, fields = {}) =>
  purchase({ card_id }, 100n, {
    card: { pan: new Secret(number) },
    processing_code: '010000',
    pin_block: new Secret(format0(pin, number)),
    ...fields,
  })
const withCvv2 = ({ card_id, number, expiry }: Own, cvv2: string) =>
  purchase({ card_id }, 100n, { card: { pan: new Secret(number) }, expiry, cvv2: new Secret(cvv2) })
const withChip = ({ card_id, number }: Own, emv: string) =>
  purchase({ card_id }, 100n, { card: { pan: new Secret(number) }, entry_mode: 'CHIP', emv })

async function failuresOf({ card_id }: Own) {
  const pins = await transact(await world.ctx(), (tx) => lockPins(tx, [card_id]))
  return pins.get(card_id)?.failures
}

test('right and wrong proofs are decided as in software, and the chip gets its answer', async () => {
  const card = await newCard()
  const chip = openChip(card.number)
  assert.equal(await codeOf(withPin(card, '4831')), '0000')
  assert.equal(await codeOf(withPin(card, '5924')), '1017')
  assert.equal(await failuresOf(card), 1)
  assert.equal(await codeOf(withCvv2(card, card.cvv2)), '0000')
  const wrong = String((Number(card.cvv2) + 1) % 1000).padStart(3, '0')
  assert.equal(await codeOf(withCvv2(card, wrong)), '1022')
  const sale = chip.data()
  const answered = await submit(withChip(card, sale))
  assert.deepEqual([answered.status_code, answered.emv?.slice(0, 4)], ['0000', '910A'])
  assert.equal(await codeOf(withChip(card, sale)), '1810', 'its counter is used')
  const declined = await submit({ ...withChip(card, chip.data()), amount: 10_000_000n })
  assert.deepEqual([declined.status_code, declined.emv?.slice(-4)], ['1016', '3531'])
})

test('without a module only requests with proofs are 9109, nothing counts, and it comes back', async () => {
  const card = await newCard()
  const chip = openChip(card.number)
  const sale = chip.data()
  await simulator.close()
  assert.deepEqual(
    await Promise.all([
      codeOf(withPin(card, '4831')),
      codeOf(withCvv2(card, card.cvv2)),
      codeOf(withChip(card, sale)),
      codeOf(purchase({ card_id: card.card_id }, 100n)),
    ]),
    ['9109', '9109', '9109', '0000'],
  )
  const advised_approval = { approved: true, approval_code: '123456' }
  const advice = { message_type: '0120' as const, advised_approval }
  assert.equal(await codeOf({ ...withPin(card, '4831'), ...advice }), '0000', 'asks nothing')
  assert.equal(await failuresOf(card), 0)
  assert.equal((await issuer.call('GET', `/v1/cards/${card.card_id}:reveal`)).status, 503)
  simulator = await startSimulator({ port, header: 4, delay_ms: 0 })
  await until(
    'the module to serve again',
    async () => (await codeOf(withPin(card, '4831'))) === '0000',
  )
  assert.equal(await codeOf(withChip(card, sale)), '0000', 'its counter was not used')
})

test('a request that declines before its first proof asks no module', async () => {
  const card = await newCard()
  await simulator.close()
  assert.equal(await codeOf(withPin(card, '4831', { expiry: '0101' })), '1804')
  assert.equal(await codeOf(withPin(card, '4831', { deadline: 1 })), '1889')
  simulator = await startSimulator({ port, header: 4, delay_ms: 0 })
  await until(
    'the module to serve again',
    async () => (await codeOf(withPin(card, '4831'))) === '0000',
  )
  assert.equal(await failuresOf(card), 0)
})

test('a preview finds the PIN right, and counts no wrong one', async () => {
  const card = await newCard()
  const body = { card_id: card.card_id, amount: 1, currency: 'AED', pin: '4831' }
  const path = '/v1/simulate/authorizations:preview'
  const { body: found } = await issuer.call('POST', path, body)
  assert.notEqual(found?.status_code, '1017')
  await issuer.call('POST', path, { ...body, pin: '5924' })
  assert.equal(await failuresOf(card), 0)
})

test('no PIN block, verification value or key is in any line of the log', async () => {
  const card = await newCard()
  const block = format0('4831', card.number)
  await submit(withPin(card, '4831'))
  await simulator.close()
  await submit(withPin(card, '4831'))
  simulator = await startSimulator({ port, header: 4, delay_ms: 0 })
  const text = world.logged.join('\n').toUpperCase()
  assert.ok(text.includes('SECURITY MODULE'))
  const kept = env.HSM_TRANSPORT_KEY_LMK ?? ''
  for (const one of [
    block,
    card.number,
    env.HSM_TRANSPORT_KEY ?? '',
    kept,
    ...Object.values(pinKeys),
  ]) {
    if (one.length > 1) assert.equal(text.includes(one.toUpperCase()), false)
  }
})
