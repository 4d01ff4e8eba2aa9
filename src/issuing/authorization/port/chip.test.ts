/** Chips over TCP: DE55 there and back, the counter, and scripts of the operator (D-445 to D-449). */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type ChipCard, checkArqc, issuerAuthentication } from '#emv/cryptogram.ts'
import { scriptTemplate } from '#emv/scripts.ts'
import { parseTlv, valuesByTag, writeTlv } from '#emv/tlv.ts'
import { versionNames } from '#emv/versions.ts'
import type { Fields } from '#iso8583/message.ts'
import { Secret } from '#lib/secret.ts'
import { chipData } from '#sandbox/network/chip_card.ts'
import { purchase } from '#test/support/desk.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { keeper } from '#test/support/keeper.ts'
import { connectAcquirer } from '#test/support/network/acquirer.ts'
import { CHIP_KEYS, chipKey, openChip } from '#test/support/network/chips.ts'
import { sale } from '#test/support/network/messages.ts'
import { openSecondEngine } from '#test/support/processes/second_engine.ts'
import { openWorld } from '#test/support/world.ts'
import { createTenantFinder } from '../authorization.ts'
import { createNetworkPort } from './port.ts'

const keep = keeper()
const world = keep(await openWorld())
const issuer = await openIssuer(world)
const second = keep(openSecondEngine(world))
const network = keep(
  createNetworkPort({
    host: '127.0.0.1',
    port: 0,
    dialect: 'ascii',
    header: 'binary2',
    log: world.log,
    engine: {
      submit: (tenant_id, job) => world.engine.submit(tenant_id, job),
      tenantOfPan: createTenantFinder(world.services),
    },
  }),
)
const acquirer = keep(
  await connectAcquirer({ port: (await network.listen()).port, dialect: 'ascii' }),
)
await acquirer.signOn()

async function newCard(product: object = {}, keys: object = CHIP_KEYS) {
  const { card_id } = await issuer.card(1_000, { name: 'Chip', ...product })
  const { card_product_id } = (await issuer.call('GET', `/v1/cards/${card_id}`)).body
  const path = `/v1/simulate/cardproducts/${card_product_id}/keys`
  assert.equal((await issuer.call('PUT', path, keys)).status, 200)
  const { body } = await issuer.call('GET', `/v1/cards/${card_id}:reveal`)
  const pan: string = body.card_number
  const chip: ChipCard = { imk_ac: chipKey(CHIP_KEYS.imk_ac), pan: new Secret(pan) }
  return { card_id, pan, chip }
}

const entry = { 22: '051', 25: '00' }
const messageOf = (pan: string, fields: Fields) =>
  sale({ pan, amount: 100n, fields: { ...entry, ...fields } })
const send = async (pan: string, fields: Fields) =>
  (await acquirer.send(messageOf(pan, fields))).fields

/** Status code and finding of the chip of the card's newest transaction. */
async function newest(card_id: string): Promise<[string, string]> {
  const { data } = (await issuer.call('GET', `/v1/transactions?card_id=${card_id}&limit=1`)).body
  const { checks } = (await issuer.call('GET', `/v1/transactions/${data[0].id}/trace`)).body
  const found = checks.find(({ check }: { check: string }) => check === 'chip')
  return [data[0].status_code, found?.detail]
}

const valuesOf = (hex = '') => {
  const parsed = parseTlv(Buffer.from(hex, 'hex'))
  assert.ok(parsed.ok)
  return { items: parsed.items, tags: valuesByTag(parsed.items) }
}

/** The tag 91 that the card expects for this answer. */
function expected91(chip: ChipCard, tags: ReadonlyMap<string, Buffer>, de39: string): string {
  const checked = checkArqc(chip, tags)
  assert.ok(checked.ok)
  const csu = Buffer.from(de39 === '00' ? '00800000' : '00000000', 'hex')
  return issuerAuthentication(checked.cryptogram, { arc: Buffer.from(de39), csu }).toString('hex')
}

describe('a right cryptogram', () => {
  for (const version of versionNames) {
    test(`of ${version} is approved, and answered with tag 91`, async () => {
      const { card_id, pan, chip } = await newCard()
      const tags = openChip(pan, version).tags()
      const answer = await send(pan, { 55: chipData(tags) })
      assert.equal(answer[39], '00')
      const value = valuesOf(answer[55]).tags.get('91')?.toString('hex')
      assert.equal(value, expected91(chip, tags, '00'))
      assert.deepEqual(await newest(card_id), ['0000', `${version}, ATC 1, right`])
    })
  }

  test('contactless, and with the sequence number of DE23', async () => {
    const { pan } = await newCard()
    const chip = openChip(pan)
    assert.equal((await send(pan, { 22: '071', 55: chip.data() }))[39], '00')
    const without = chip.data({ tags: { '5F34': null } })
    assert.equal((await send(pan, { 23: '000', 55: without }))[39], '00')
    assert.equal(
      (await send(pan, { 23: '001', 55: chip.data({ tags: { '5F34': null } }) }))[39],
      '82',
    )
  })

  test('of a payment that is declined for another reason is answered over that', async () => {
    const { pan, chip } = await newCard()
    const { tags } = openChip(pan)
    const first = tags()
    const message = sale({ pan, amount: 9_999_900n, fields: { ...entry, 55: chipData(first) } })
    const { fields } = await acquirer.send(message)
    assert.equal(fields[39], '51')
    const value = valuesOf(fields[55]).tags.get('91')?.toString('hex')
    assert.equal(value, expected91(chip, first, '51'))
    assert.equal((await send(pan, { 55: chipData(first) }))[39], '82', 'its counter is used')
  })

  test('repeated under one key gets the same bytes', async () => {
    const { pan } = await newCard()
    const message = messageOf(pan, { 55: openChip(pan).data() })
    const first = await acquirer.send(message)
    assert.ok(first.fields[55])
    assert.deepEqual(await acquirer.send(message), first)
  })
})

describe('1810', () => {
  const needed = '9F26 9F27 9F10 9F36 9F37 95 9A 9C 9F02 9F03 9F1A 5F2A 82'.split(' ')

  test('for no DE55, one without a mandatory tag, and malformed TLV', async () => {
    const { card_id, pan } = await newCard()
    const chip = openChip(pan)
    for (const way of ['051', '071']) assert.equal((await send(pan, { 22: way }))[39], '82')
    assert.deepEqual(await newest(card_id), ['1810', 'no DE55'])
    for (const tag of needed) {
      const tags = chip.tags()
      tags.delete(tag)
      const answer = await send(pan, { 55: chipData(tags) })
      assert.deepEqual([answer[39], answer[55]], ['82', undefined], tag)
      assert.deepEqual(await newest(card_id), ['1810', `tag ${tag} is missing`])
    }
    for (const hex of ['9F', '9F26', '9F26FF', '9F2608AABB', '9F268', `${'E0'.repeat(20)}`]) {
      const { 39: de39 } = await send(pan, { 55: hex.length % 2 === 0 ? hex : `${hex}0` })
      assert.equal(de39, '82', hex)
    }
    for (const tag of ['9F36', '9F37', '95']) {
      assert.equal(
        (await send(pan, { 55: chipData(chip.tags().set(tag, Buffer.alloc(9))) }))[39],
        '82',
      )
    }
  })

  test('for a wrong cryptogram, an unknown version and the keys of another product', async () => {
    const { card_id, pan } = await newCard()
    const chip = openChip(pan)
    const wrong = chip.tags().set('9F26', Buffer.alloc(8, 7))
    assert.equal((await send(pan, { 55: chipData(wrong) }))[39], '82')
    assert.deepEqual(await newest(card_id), ['1810', 'VISA_CVN10, ATC 1, wrong cryptogram'])
    const unknown = chip.tags().set('9F10', Buffer.from('06010C03A00000', 'hex'))
    assert.equal((await send(pan, { 55: chipData(unknown) }))[39], '82')
    assert.equal((await newest(card_id))[1], 'unknown cryptogram version')
    const other = await newCard({}, { imk_ac: '89ABCDEF0123456776543210FEDCBA98' })
    assert.equal((await send(other.pan, { 55: openChip(other.pan).data() }))[39], '82')
    assert.equal((await send(pan, { 55: chip.data({ atc: 1 }) }))[39], '00', 'no counter was used')
  })

  test('for a cryptogram that does not ask: declined or approved offline', async () => {
    const { card_id, pan } = await newCard()
    const chip = openChip(pan)
    assert.equal((await send(pan, { 55: chip.data({ tags: { '9F27': '00' } }) }))[39], '82')
    const [code, detail] = await newest(card_id)
    assert.equal(code, '1810')
    assert.match(detail, /right, the card declined offline$/)
    assert.equal((await send(pan, { 55: chip.data({ tags: { '9F27': '40' } }) }))[39], '82')
  })

  test('for a counter that was used or is lower, not for a gap', async () => {
    const { card_id, pan } = await newCard()
    const chip = openChip(pan)
    const data = chip.data({ atc: 10 })
    assert.equal((await send(pan, { 55: data }))[39], '00')
    assert.equal((await send(pan, { 55: data }))[39], '82')
    assert.deepEqual(await newest(card_id), ['1810', 'VISA_CVN10, ATC 10, not above 10'])
    for (const [atc, de39] of [
      [9, '82'],
      [10, '82'],
      [15, '00'],
      [14, '82'],
      [65_535, '00'],
    ] as const) {
      assert.equal((await send(pan, { 55: chip.data({ atc }) }))[39], de39, String(atc))
    }
  })

  test('for all but one of 60 replays at once in two processes', async () => {
    const { card_id, pan } = await newCard()
    const card = { pan: new Secret(pan) }
    const emv = openChip(pan).data()
    const engines = [world.engine, second.engine]
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, at) => {
        const request = purchase(undefined, 100n, { card, emv, entry_mode: 'CHIP' })
        return (engines[at % 2] ?? world.engine).submit(world.tenant.id, { request })
      }),
    )
    const codes = answers.map(({ status_code }) => status_code)
    assert.equal(codes.filter((code) => code === '0000').length, 1)
    assert.equal(codes.filter((code) => code === '1810').length, 59)
    const path = `/v1/operator/tenants/${world.tenant.id}/cards/${card_id}/chip`
    assert.equal((await world.request('GET', path, undefined, operator)).body.atc, 1)
  })
})

describe('counters that rise', () => {
  test('are each approved once, however their batches follow each other', async () => {
    const { pan } = await newCard()
    const chip = openChip(pan)
    const card = { pan: new Secret(pan) }
    const answers = await Promise.all(
      Array.from({ length: 300 }, () => {
        const fields = { card, emv: chip.data(), entry_mode: 'CHIP' as const }
        return world.engine.submit(world.tenant.id, { request: purchase(undefined, 1n, fields) })
      }),
    )
    assert.deepEqual([...new Set(answers.map(({ status_code }) => status_code))], ['0000'])
  })
})

describe('a product without chip keys', () => {
  test('accepts a chip where its proof is waived, and declines it where it is required', async () => {
    const { card_id, pan } = await newCard({}, { imk_ac: null })
    assert.equal((await send(pan, {}))[39], '00')
    assert.deepEqual(await newest(card_id), ['0000', 'not verified'])
    const { card_product_id } = (await issuer.call('GET', `/v1/cards/${card_id}`)).body
    await issuer.call('PUT', `/v1/cardproducts/${card_product_id}`, { emv: 'REQUIRED' })
    assert.equal((await send(pan, {}))[39], '82')
    assert.deepEqual(await newest(card_id), ['1810', 'no keys'])
  })
})

const operator = { key: world.operator_key }
const pathOf = (card_id: string) => `/v1/operator/tenants/${world.tenant.id}/cards/${card_id}`
const ask = (card_id: string, script: string) =>
  world.request('POST', `${pathOf(card_id)}:script`, { script }, operator)
const scriptsOf = async (card_id: string) =>
  (await world.request('GET', `${pathOf(card_id)}/chip`, undefined, operator)).body.scripts

describe('a script of the operator', () => {
  test('is carried by the next answer, once, with its code, also where it declines', async () => {
    const { card_id, pan, chip: card } = await newCard()
    const chip = openChip(pan)
    const asked = await ask(card_id, 'BLOCK')
    assert.equal(asked.status, 200, asked.text)
    assert.deepEqual(asked.body.scripts, [{ script: 'BLOCK', status: 'REQUESTED' }])
    await issuer.call('PUT', `/v1/cards/${card_id}:statuschange`, {
      status: 'SUSPENDED',
      status_reason_code: 'S0',
    })
    assert.equal(
      (await send(pan, { 55: chipData(chip.tags().set('9F26', Buffer.alloc(8))) }))[55],
      undefined,
    )
    const tags = chip.tags()
    const answer = await send(pan, { 55: chipData(tags) })
    assert.notEqual(answer[39], '00')
    const checked = checkArqc(card, tags)
    assert.ok(checked.ok)
    const keys = { imk_smi: chipKey(CHIP_KEYS.imk_smi), pan: new Secret(pan) }
    const template = scriptTemplate(keys, checked.cryptogram, { name: 'BLOCK', number: 1 })
    const { items } = valuesOf(answer[55])
    assert.deepEqual(writeTlv(items.slice(1)), writeTlv([template]))
    assert.deepEqual(await scriptsOf(card_id), [{ script: 'BLOCK', status: 'SENT' }])
    assert.equal(valuesOf((await send(pan, { 55: chip.data() }))[55]).items.length, 1)
  })

  test('takes the result that the card reports, and is sent again where it was not done', async () => {
    const { card_id, pan } = await newCard()
    const chip = openChip(pan)
    await ask(card_id, 'UNBLOCK_PIN')
    await ask(card_id, 'BLOCK')
    const carried = async (results?: string) => {
      const tags = results === undefined ? {} : { '9F5B': results }
      return valuesOf((await send(pan, { 55: chip.data({ tags }) }))[55]).items.length - 1
    }
    assert.equal(await carried(), 2)
    assert.equal(await carried('2000000001' + '0000000002'), 1, 'BLOCK was not performed')
    assert.deepEqual(await scriptsOf(card_id), [
      { script: 'UNBLOCK_PIN', status: 'DONE' },
      { script: 'BLOCK', status: 'SENT' },
    ])
    assert.equal(await carried('1100000002'), 0)
    assert.equal((await scriptsOf(card_id))[1].status, 'FAILED')
  })

  test('400 for another script, 404 for no card of the tenant, 403 for a client', async () => {
    const { card_id } = await newCard()
    assert.equal((await ask(card_id, 'UNBLOCK')).status, 400)
    assert.equal((await ask(world.tenant.id, 'BLOCK')).status, 404)
    const theirs = (await world.otherTenant()).id
    const path = `/v1/operator/tenants/${theirs}/cards/${card_id}`
    assert.equal(
      (await world.request('POST', `${path}:script`, { script: 'BLOCK' }, operator)).status,
      404,
    )
    assert.equal((await world.request('GET', `${path}/chip`, undefined, operator)).status, 404)
    assert.equal((await issuer.call('GET', `${pathOf(card_id)}/chip`)).status, 403)
  })
})
