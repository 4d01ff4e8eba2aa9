/** The file of a batch, opened by GnuPG and read by the standards' own grammars. */

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { keySets, lockPins } from '#issuing/vault/vault.ts'
import { transact } from '#kit/context.ts'
import { TdesKey } from '#lib/ciphers.ts'
import { Secret } from '#lib/secret.ts'
import { decodeFormat0 } from '#pin/format0.ts'
import { type Cardholder, cardholder } from '#test/support/cardholder.ts'
import { keeper } from '#test/support/keeper.ts'
import { openBureau, ordersOfCard, ZPK } from '#test/support/services/bureau.ts'
import { until } from '#test/support/services/receiver.ts'
import { openWorld } from '#test/support/world.ts'

const keep = keeper()
const bureau = keep(openBureau())
const world = keep(await openWorld({ env: bureau.env }))
world.sweeper.start()
const PRODUCTION = {
  chip_profile: 'VSDC-7',
  carrier: 'GREEN',
  second_line: 'Gold member',
  pin_mailer: true,
  tracking: true,
}
const they = await cardholder(world, world.tenant, { production: PRODUCTION })

const send = (body: object = {}) =>
  they.operate('POST', 'cardorders:send', { tenant_id: they.tenant.id, ...body })

/** Orders what waits and returns the batches once the bureau has their files. */
async function sent(of: Cardholder = they) {
  assert.equal((await send({ tenant_id: of.tenant.id })).status, 200)
  const list = async () => (await of.ask('GET', 'cardorders')).body.data
  await until('every batch is sent', async () => {
    await of.runDueJobs()
    const { body } = await of.ask('GET', 'cards?limit=100')
    const waits = body.data.some(
      ({ status, fulfillment_status }: Card) =>
        status !== 'TERMINATED' && fulfillment_status === 'CREATED',
    )
    return !waits && (await list()).every(({ state }: { state: string }) => state !== 'PREPARING')
  })
  return list()
}
type Card = { id: string; status: string; fulfillment_status?: string }

const recordOf = async (card: { id: string }) => {
  const orders = await ordersOfCard(world, card.id)
  const found = bureau.records().filter(({ order_id = '' }) => orders.includes(order_id))
  assert.equal(found.length, 1)
  return found[0] ?? {}
}

/** ISO/IEC 7813, 6.2 and 6.3: track 1 of format B, and track 2. */
const NAME = String.raw`[ A-Z0-9.'\-]*\/[ A-Z0-9.'\-]*`
const TRACK1 = new RegExp(
  String.raw`^%B(?<pan>\d{12,19})\^(?<name>(?=.{2,26}\^)${NAME})\^(?<expiry>\d{2}(?:0[1-9]|1[0-2]))(?<service>[1-9]\d{2})(?<data>[ -Z_]*)\?$`,
)
const TRACK2 =
  /^;(?<pan>\d{12,19})=(?<expiry>\d{2}(?:0[1-9]|1[0-2]))(?<service>[1-9]\d{2})(?<data>\d*)\?$/

const card = await they.issue({
  card_type: 'PHYSICAL',
  name_on_card: 'Aisha Khan',
  shipping_details: {
    method: 'COURIER',
    address: {
      name: 'Zoë "Z", Khan',
      address_line1: '12 Palm, Street',
      city: 'Łódź',
      country: 'POL',
    },
  },
})
assert.equal((await they.read(card.id)).fulfillment_status, 'CREATED')
const [batch] = await sent()

describe('a file', () => {
  const [name = ''] = bureau.files()
  const text = bureau.decrypt(join(bureau.folder, name))
  const lines = text.split('\n')

  test('is named by its batch, which has its digest, and is signed and encrypted', () => {
    assert.equal(batch.file_name, name)
    assert.match(name, new RegExp(`^cards-\\d{8}-${batch.id}\\.csv\\.pgp$`))
    assert.equal(batch.digest, createHash('sha256').update(text).digest('hex'))
    assert.deepEqual([batch.state, batch.count, batch.bureau], ['SENT', 1, 'maker'])
    assert.ok(batch.sent)
  })

  test('has a header, a record a card, and a trailer with the digest of the records', () => {
    const [header = '', record = '', trailer = '', ...rest] = lines
    const { id, card_product_id, created } = batch
    assert.equal(header, `H,1,${id},${card_product_id},maker,${created},1`)
    const digest = createHash('sha256').update(`${record}\n`).digest('hex')
    assert.equal(trailer, `T,1,${digest}`)
    assert.deepEqual(rest, [''])
  })

  test('says of a card what is to be made', async () => {
    const record = await recordOf(card)
    const { expiry_date, created } = await they.read(card.id)
    assert.partialDeepStrictEqual(record, {
      reason: 'NEW',
      sequence_number: '00',
      name: 'AISHA KHAN',
      second_line: 'GOLD MEMBER',
      chip_profile: 'VSDC-7',
      carrier: 'GREEN',
      delivery_method: 'COURIER',
      tracking: 'Y',
      expiry: expiry_date.slice(2, 4) + expiry_date.slice(5, 7),
      valid_from: created.slice(2, 4) + created.slice(5, 7),
      ship_name: 'Zoë "Z", Khan',
      ship_address_line1: '12 Palm, Street',
      ship_city: 'Łódź',
      ship_country: 'POL',
      return_name: '',
    })
  })

  test('has tracks that follow ISO/IEC 7813', async () => {
    const { track1 = '', track2 = '', pan, expiry, service_code, pvki, pvv } = await recordOf(card)
    const first = TRACK1.exec(track1)?.groups
    const second = TRACK2.exec(track2)?.groups
    assert.ok(first && second)
    assert.ok(track1.length <= 79 && track2.length <= 40)
    for (const track of [first, second]) {
      assert.deepEqual(
        [track['pan'], track['expiry'], track['service']],
        [pan, expiry, service_code],
      )
      assert.match(track['data'] ?? '', new RegExp(`^${pvki}${pvv}\\d{3}$`))
    }
    assert.equal(first['name'], 'KHAN/AISHA')
  })

  test('has a mailer whose block opens to the PIN that is stored, and the PIN nowhere', async () => {
    const { pan = '', pin_block = '', pvv, pvki = '' } = await recordOf(card)
    const number = new Secret(pan)
    const zpk = new TdesKey(new Secret(Buffer.from(ZPK, 'hex')))
    const pin = decodeFormat0(Buffer.from(pin_block, 'hex'), number, zpk)
    assert.ok(pin)
    const ctx = await they.ctx()
    const [sets, stored] = await Promise.all([
      keySets(ctx, [they.product.id]),
      transact(ctx, (tx) => lockPins(tx, [card.id])),
    ])
    const keys = sets.get(they.product.id)
    assert.ok(keys)
    const made = await ctx.custody.valueOfPin(pin, number, { pvk: keys.pvk, pvki }, 'PVV')
    assert.equal(made.reveal(), pvv)
    assert.equal(stored.get(card.id)?.value.reveal(), pvv)
  })
})

test('the card is ORDERED once its file is there, and shows its batch', async () => {
  const { fulfillment_status, card_order_id } = await they.read(card.id)
  assert.deepEqual([fulfillment_status, card_order_id], ['ORDERED', batch.id])
  assert.deepEqual((await they.ask('GET', `cardorders/${batch.id}`)).body, batch)
  const [event] = await they.eventsAbout(card.id, 'CARD_DELIVERY_STATUS_CHANGED')
  assert.partialDeepStrictEqual(event, { old_status: 'CREATED', new_status: 'ORDERED' })
})

test('names in Arabic, Polish and German are embossed in Latin letters', async () => {
  const of = await cardholder(world, await world.otherTenant())
  const names = {
    'ليلى حسن': /^[A-Z ]{2,26}$/,
    'Łukasz Żółć': /^LUKASZ ZOLC$/,
    'Jörg Groß': /^JORG GROSS$/,
  }
  for (const [whole, expected] of Object.entries(names)) {
    const [first_name, last_name] = whole.split(' ')
    const { body: user } = await of.ask('POST', 'users', { first_name, last_name })
    const { id } = await of.issue({ card_type: 'PHYSICAL', user_id: user.id })
    await sent(of)
    const { name = '', track1 = '' } = await recordOf({ id })
    assert.match(name, expected)
    assert.match(track1, TRACK1)
  }
})

test('a replacement, a migration and the cards of a bulk issuance end in batches', async () => {
  const of = await cardholder(world, await world.otherTenant())
  const old = await of.issue({ card_type: 'PHYSICAL' })
  await of.change(old.id, 'TERMINATED', 'T0')
  const next = await of.issue({ card_type: 'PHYSICAL', reference_card_id: old.id })
  const virtual = await of.issue()
  await of.put(virtual.id, { change_to_physical: true })
  const bulk = { card_product_id: of.product.id, number_of_cards: 3, status: 'SUBMITTED' }
  assert.equal((await of.ask('POST', 'bulkissuances', bulk)).status, 200)
  await of.runDueJobs()
  await sent(of)
  assert.equal((await recordOf(next))['reason'], 'REPLACEMENT')
  assert.equal((await recordOf(virtual))['reason'], 'MIGRATION')
  const { body } = await of.ask('GET', 'cards?limit=100')
  const ordered = body.data.filter((each: Card) => each.fulfillment_status === 'ORDERED')
  assert.equal(ordered.length, 5)
  for (const each of ordered) assert.match((await recordOf(each))['track1'] ?? '', TRACK1)
  const numbers = bureau.records().map(({ pan }) => pan)
  assert.equal(new Set(numbers).size, numbers.length)
})

test('nothing of a card number, CVV2 or PIN block is logged, stored or left in clear', async () => {
  const { pan = '', pin_block = '' } = await recordOf(card)
  assert.ok(world.logged.every((line) => !line.includes(pan) && !line.includes(pin_block)))
  const rows = await world.db.selectFrom('card_order_records').selectAll().execute()
  assert.ok(rows.every((row) => !JSON.stringify(row).includes(pan)))
  assert.deepEqual(bureau.files().length, await countBatches())
})

const countBatches = async () =>
  (await world.db.selectFrom('card_orders').select('id').where('state', '=', 'SENT').execute())
    .length
