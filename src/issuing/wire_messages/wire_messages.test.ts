/** The messages of a transaction by the API, from the network and from simulations. */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import type { MaskedField } from '#iso8583/masked.ts'
import { writeElements } from '#iso8583/tlv48.ts'
import { createTenantFinder } from '#issuing/authorization/authorization.ts'
import { createNetworkPort } from '#issuing/authorization/port/port.ts'
import { cardNumbersIn } from '#test/support/inspection/canary.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { keeper } from '#test/support/keeper.ts'
import { connectAcquirer } from '#test/support/network/acquirer.ts'
import { completion, reversal, sale } from '#test/support/network/messages.ts'
import { openWorld } from '#test/support/world.ts'
import type { WireMessage } from './schema.ts'
import { WireLog } from './wire_messages.ts'

const keep = keeper()
const world = keep(await openWorld())
const issuer = await openIssuer(world)
const { call } = issuer
const other = await openIssuer(world, await world.otherTenant())

const messagesOf = async (id: string): Promise<WireMessage[]> => {
  const { status, body, text } = await call('GET', `/v1/transactions/${id}/messages`)
  assert.equal(status, 200, text)
  assert.equal(body.recorded, true)
  return body.data
}
const outline = (messages: readonly WireMessage[]) =>
  messages.map(({ direction, mti }) => `${direction} ${mti}`)
const valueIn = (message: WireMessage | undefined, number: string) =>
  message?.fields.find((field) => field.number === number)?.value

describe('simulated messages', () => {
  const act = (id: string, action: string, body?: object) =>
    call('POST', `/v1/simulate/authorizations/${id}:${action}`, body)

  test('200 lists those of a whole life, oldest first, and those of a refund with it', async () => {
    const { card_id } = await issuer.card(100)
    const merchant = { id: 'SHOP1', name: 'Café Ÿ', mcc: '5411', city: 'Dubai', country: 'ARE' }
    const body = { card_id, amount: 10, currency: 'AED', cvv2: '0000', merchant }
    const { body: declined } = await call('POST', '/v1/simulate/authorizations', body)
    assert.deepEqual(outline(await messagesOf(declined.id)), ['RECEIVED 0100', 'SENT 0110'])
    const { cvv2: _, ...right } = body
    const { id } = (await call('POST', '/v1/simulate/authorizations', right)).body
    await act(id, 'increment', { amount: 5 })
    await act(id, 'reverse', { amount: 2 })
    await act(id, 'clear')
    const refund = { transaction_id: id, amount: 3, currency: 'AED' }
    const { body: refunded } = await call('POST', '/v1/simulate/refunds', refund)
    const messages = await messagesOf(id)
    assert.deepEqual(outline(messages), [
      ...['RECEIVED 0100', 'SENT 0110', 'RECEIVED 0100', 'SENT 0110'],
      ...['RECEIVED 0420', 'SENT 0430', 'RECEIVED 0220', 'SENT 0230'],
    ])
    assert.deepEqual(outline(await messagesOf(refunded.id)), ['RECEIVED 0200', 'SENT 0210'])
    assert.ok(messages.every(({ source, bytes }) => source === 'SIMULATED' && bytes > 60))
    const [asked, answer, , , taken] = messages
    assert.equal(valueIn(asked, '43'), 'Cafe Y                   Dubai        AE')
    assert.equal(valueIn(answer, '39'), '00')
    const original = taken?.fields.find(({ number }) => number === '90')
    const stan = original?.subfields?.find(({ number }) => number === '2')?.value
    assert.equal(stan, valueIn(asked, '11'), 'the reversal names the message that it reverses')
    assert.equal(valueIn(taken, '95')?.slice(0, 12), '000000001300')
    const { masked_card_number } = (await call('GET', `/v1/cards/${card_id}`)).body
    assert.ok(messages.every((message) => valueIn(message, '2') === masked_card_number))
    const [refused] = await messagesOf(declined.id)
    const proofs = refused?.fields.find(({ number }) => number === '48')?.subfields
    assert.deepEqual(proofs, [{ number: '92', name: 'CVV2', value: '****', masked: true }])
  })

  test('404 for another tenant’s and for none, 400 for no id, 401 without a key', async () => {
    const { card_id } = await issuer.card(10)
    const body = { card_id, amount: 1, currency: 'AED' }
    const { id } = (await call('POST', '/v1/simulate/authorizations', body)).body
    for (const part of ['messages', 'entries']) {
      const path = (of: string) => `/v1/transactions/${of}/${part}`
      assert.equal((await call('GET', path(id))).status, 200)
      assert.equal((await other.call('GET', path(id))).status, 404)
      assert.equal((await call('GET', path(randomUUID()))).status, 404)
      assert.equal((await call('GET', path('x'))).status, 400)
      assert.equal((await call('GET', path(id), undefined, { key: null })).status, 401)
    }
  })

  test('nothing is recorded where WIRE_LOG is off', async () => {
    await using silent = await openWorld({ env: { WIRE_LOG: 'off' } })
    const quiet = await openIssuer(silent)
    const { card_id } = await quiet.card(10)
    const body = { card_id, amount: 1, currency: 'AED' }
    const { id } = (await quiet.call('POST', '/v1/simulate/authorizations', body)).body
    const answer = await quiet.call('GET', `/v1/transactions/${id}/messages`)
    assert.deepEqual(answer.body, { data: [], recorded: false })
  })
})

describe('messages of the network', () => {
  const wire = new WireLog(world.services.db, world.log)
  let card: { id: string; pan: string; cvv2: string; expiry: string }
  let acquirer: Awaited<ReturnType<typeof connectAcquirer>>
  /** Answers have 8701M in DE48: its CVV2 is no part of that, as two of a thousand are. */
  const newCard = async (): Promise<typeof card> => {
    const { card_id: id } = await issuer.card(100)
    const {
      card_number: pan,
      cvv2,
      expiry_date,
    } = (await call('GET', `/v1/cards/${id}:reveal`)).body
    const expiry = expiry_date.slice(2).replace('-', '')
    return '8701M'.includes(cvv2) ? newCard() : { id, pan, cvv2, expiry }
  }
  before(async () => {
    card = await newCard()
    const network = keep(
      createNetworkPort({
        host: '127.0.0.1',
        port: 0,
        dialect: 'ascii',
        header: 'binary2',
        log: world.log,
        wire,
        engine: {
          submit: (tenant_id, job) => world.engine.submit(tenant_id, job),
          tenantOfPan: createTenantFinder(world.services),
        },
      }),
    )
    const { port } = await network.listen()
    acquirer = keep(await connectAcquirer({ port, dialect: 'ascii' }))
    await acquirer.signOn()
  })
  const newest = async () => {
    await wire.flush()
    const { data } = (await call('GET', `/v1/transactions?card_id=${card.id}&limit=1`)).body
    return messagesOf(data[0].id)
  }
  const pay = (fields = {}) => {
    const proofs = { 14: card.expiry, 48: writeElements([['92', card.cvv2]]) }
    return sale({ pan: card.pan, amount: 1_000n, fields: { ...proofs, ...fields } })
  }

  test('those of a payment, its repeat and its reversal belong to its transaction', async () => {
    const track = `${card.pan}=${card.expiry}2010000000000000`
    const bought = pay({ 60: `Shop ${card.pan} here` })
    await acquirer.send(bought)
    await acquirer.send({ ...bought, mti: '0101' })
    await acquirer.send(reversal(bought))
    const messages = await newest()
    assert.deepEqual(outline(messages), [
      ...['RECEIVED 0100', 'SENT 0110', 'RECEIVED 0101', 'SENT 0110'],
      ...['RECEIVED 0400', 'SENT 0410'],
    ])
    assert.ok(messages.every(({ source }) => source === 'NETWORK'))
    const text = JSON.stringify(messages)
    for (const secret of [card.pan, track]) assert.ok(!text.includes(secret))
    assert.deepEqual(cardNumbersIn(text).includes(card.pan), false)
    const [proof] = messages[0]?.fields.find(({ number }) => number === '48')?.subfields ?? []
    assert.deepEqual([proof?.number, proof?.value], ['92', '***'])
    assert.ok(messages.every((message) => !valueIn(message, '48')?.includes(card.cvv2)))
    assert.equal(valueIn(messages[0], '14'), '****')
    const times = messages.map(({ at }) => String(at))
    assert.deepEqual(times, times.toSorted())
  })

  test('a completion of an approval is listed with it', async () => {
    const bought = pay()
    await acquirer.send(completion(bought, await acquirer.send(bought)))
    assert.deepEqual(outline(await newest()), [
      ...['RECEIVED 0100', 'SENT 0110', 'RECEIVED 0220', 'SENT 0230'],
    ])
  })

  test('of a malformed message only trace number and response code are shown', async () => {
    const message = pay({ 7: '1399999999' })
    await acquirer.send(message)
    const [received, sent] = await newest()
    const plain = (of: WireMessage | undefined) =>
      of?.fields.filter(({ masked }) => !masked).map(({ number }) => number)
    assert.deepEqual([plain(received), plain(sent)], [['11'], ['11', '39']])
    await acquirer.send(pay({ 22: undefined }))
    const [lacking] = await newest()
    assert.equal(valueIn(lacking, '42'), 'MERCHANT0000001', 'but for a missing DE22')
  })

  test('no row of the table has card data', async () => {
    await wire.flush()
    const rows = await world.db.selectFrom('wire_messages').selectAll().execute()
    assert.ok(rows.length > 10)
    const text = JSON.stringify(rows)
    assert.ok(!text.includes(card.pan) && !cardNumbersIn(text).includes(card.pan))
    // Ids have any three digits by chance, so the CVV2 is sought in the element that carries it.
    const isProof = ([number]: MaskedField) => number === '48'
    const proofs = rows.flatMap(({ fields }) => fields.filter(isProof))
    assert.ok(proofs.length > 2)
    assert.ok(!JSON.stringify(proofs).includes(card.cvv2))
  })
})
