import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { eventsOf } from '#events/outbox.ts'
import { lockPins } from '#issuing/vault/vault.ts'
import { transact } from '#kit/context.ts'
import { AesKey, TdesKey, xor } from '#lib/ciphers.ts'
import { isLuhn } from '#lib/luhn.ts'
import { Secret } from '#lib/secret.ts'
import { pvvOf } from '#pin/pvv.ts'
import { payloadsOf } from '#test/support/events.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { format0, format4, oneNumber, pinKeys, preparePins } from '#test/support/network/pins.ts'
import { isInModule } from '#test/support/services/custody.ts'
import { openWorld } from '#test/support/world.ts'
import iso0 from '../../../test/vectors/pinblock_iso0.json' with { type: 'json' }
import iso4 from '../../../test/vectors/pinblock_iso4.json' with { type: 'json' }
import { setPin } from './pins.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const issuer = await openIssuer(world)
const { call } = issuer

/** A module verifies PINs of more than four digits by an offset. */
const ofLong = isInModule ? { verification: 'OFFSET' } : {}

const change = (id: string, enc_pin: unknown) =>
  call('PUT', `/v1/cards/${id}:changepin`, { enc_pin })

/** A card that may pay, under PIN keys that the test knows. */
async function pinned(product: object = {}) {
  const { card_id } = await issuer.card(100, { ...oneNumber, ...product })
  return { id: card_id, number: await preparePins(world, card_id, issuer.tenant.api_key) }
}

/** How a withdrawal with this PIN is decided. */
async function withdraw(card_id: string, pin: string): Promise<string> {
  return (await issuer.pay(card_id, 1, { transaction_type: 'WITHDRAWAL', pin })).status_code
}

async function keptOf(card_id: string) {
  const pins = await transact(await world.ctx(), (tx) => lockPins(tx, [card_id]))
  return pins.get(card_id)
}

/** A block of format 4 with any clear field, which its encoder would reject. */
function blockOfField(field: string, number: string): string {
  const key = new AesKey(new Secret(Buffer.from(pinKeys.zpk_aes, 'hex')))
  const pan = Buffer.from(`${number.length - 12}${number}`.padEnd(32, '0'), 'hex')
  const clear = Buffer.from(field.padEnd(32, '9'), 'hex')
  return key.encrypt(xor(key.encrypt(clear), pan)).toString('hex')
}

describe('PUT /cards/{id}:changepin', () => {
  test('200 sets a PIN by format 4, and another by format 0; only the newest is right', async () => {
    const { id, number } = await pinned()
    assert.equal(await withdraw(id, '4831'), '1017')
    const first = await change(id, format4('4831', number))
    assert.equal(first.status, 200, first.text)
    assert.deepEqual(Object.keys(first.body), ['id', 'modified'])
    assert.equal(first.body.id, id)
    assert.equal(await withdraw(id, '4831'), '0000')
    assert.equal((await change(id, format0('5924', number).toLowerCase())).status, 200)
    assert.deepEqual([await withdraw(id, '4831'), await withdraw(id, '5924')], ['1017', '0000'])
  })

  test('each change is reported once, without the PIN', async () => {
    const { id, number } = await pinned()
    await change(id.toUpperCase(), format4('4831', number))
    // The PIN block of another number: its last digit is one more, or 0.
    await change(id, format4('4832', `${number.slice(0, -1)}${(Number(number.at(-1)) + 1) % 10}`))
    assert.deepEqual(await eventsOf(await world.ctx(), id), ['SUCCESSFULLY_CREATED', 'PIN_CHANGE'])
    const [, { id: _event_id, created: _created, ...reported }] = await payloadsOf(world, id)
    assert.deepEqual(reported, { event: 'PIN_CHANGE', card_id: id })
  })

  test('400 with one answer for every wrong block, and the PIN is unchanged', async () => {
    const { id, number } = await pinned()
    const other = await pinned()
    assert.equal((await change(id, format4('4831', number))).status, 200)
    const replayed = format4('5924', number)
    assert.equal((await change(id, replayed)).status, 200)
    const good = format4('7306', number)
    const bytes = Buffer.from(good, 'hex')
    const flipped = Buffer.from(bytes)
    flipped[15] = (flipped[15] ?? 0) ^ 1
    const zeros = '0'.repeat(64)
    const wrong = [
      ['a replayed block', replayed],
      ['the same PIN in a fresh block', format4('5924', number)],
      ['a block of another card', format4('7306', other.number)],
      ['format 0 of another card', format0('7306', other.number)],
      ['another key', format4('7306', number, zeros)],
      ['another key of format 0', format0('7306', number, pinKeys.pvk)],
      ['format 0 under the wrong length of key', good.slice(0, 16)],
      ['truncated by a byte', good.slice(0, 30)],
      ['truncated by half a byte', good.slice(0, 31)],
      ['longer by a byte', `${good}00`],
      ['two blocks', good + good],
      ['one digit', 'A'],
      ['one bit turned', flipped.toString('hex')],
      ['zeros', zeros.slice(32)],
      ['3 digits', blockOfField('43730aaaaaaaaaaa', number)],
      ['13 digits', blockOfField('4d7306123456789a', number)],
      ['12 digits where the product asks for 4', format4('730612345678', number)],
      ['5 digits where the product asks for 4', format4('73061', number)],
      ['another padding', blockOfField('447306ffffffffff', number)],
      ['a digit in the padding', blockOfField('4473061aaaaaaaaa', number)],
      ['a PIN that is not of digits', blockOfField('4473baaaaaaaaaaa', number)],
      ['a field of format 3', blockOfField('347306aaaaaaaaaa', number)],
    ] as const
    const answers = new Set<string>()
    for (const [what, enc_pin] of wrong) {
      const { status, text, body } = await change(id, enc_pin)
      assert.equal(status, 400, `${what}: ${text}`)
      answers.add(text.replace(body.request_id, ''))
    }
    assert.equal(answers.size, 1, [...answers].join('\n'))
    assert.match([...answers].join(), /"code":"pin_block_refused".*"path":"enc_pin"/)
    assert.equal(await withdraw(id, '5924'), '0000')
    assert.equal((await change(id, good)).status, 200)
  })

  for (const [what, enc_pin] of [
    ['what is no hex', 'XY'.repeat(16)],
    ['nothing', ''],
    ['a text over the limit', 'A'.repeat(66)],
    ['a number', 4831],
    ['null', null],
    ['no member', undefined],
  ] as const) {
    test(`400 on enc_pin for ${what}`, async () => {
      const { id } = await pinned()
      const { status, body } = await change(id, enc_pin)
      assert.deepEqual([status, body.code], [400, 'validation_failed'])
      assert.deepEqual(
        [...new Set(body.errors.map(({ path }: { path: string }) => path))],
        ['enc_pin'],
      )
      // The id of the request has such digits by chance.
      const { request_id: _id, ...rest } = body
      assert.doesNotMatch(JSON.stringify(rest), /XYXY|4831/)
    })
  }

  test('400 for a weak PIN in a right block, unless the product accepts it', async () => {
    const { id, number } = await pinned()
    for (const pin of ['1234', '0000', '1990', '2580', '1212']) {
      const { status, body } = await change(id, format4(pin, number))
      assert.deepEqual([status, body.code], [400, 'pin_refused'])
      assert.equal(body.detail, 'The PIN is too easy to guess.')
      const message = 'is the block of a PIN that is not accepted'
      assert.deepEqual(body.errors, [{ path: 'enc_pin', message }])
    }
    const loose = await pinned({ pin: { refuse_weak: false } })
    assert.equal((await change(loose.id, format4('1234', loose.number))).status, 200)
    assert.equal(await withdraw(loose.id, '1234'), '0000')
  })

  test('200 for PINs with the number of digits of the product, 4 to 12', async () => {
    for (const [length, pin] of [
      [6, '483159'],
      [12, '483159260437'],
    ] as const) {
      const { id, number } = await pinned({ pin: { length, ...ofLong } })
      assert.equal((await change(id, format4('4831', number))).status, 400)
      assert.equal((await change(id, format4(pin, number))).status, 200)
      assert.equal(await withdraw(id, pin), '0000')
    }
  })

  test('200 for PINs of 4 to 12 digits that an offset verifies; each digit counts', async () => {
    for (const pin of ['4831', '48315926', '483159260437']) {
      const { length } = pin
      const { id, number } = await pinned({ pin: { length, verification: 'OFFSET' } })
      const { body: product } = await call(
        'GET',
        `/v1/cardproducts/${(await call('GET', `/v1/cards/${id}`)).body.card_product_id}`,
      )
      assert.equal(product.pin.verification, 'OFFSET')
      assert.equal((await change(id, format0(pin, number))).status, 200)
      assert.equal((await change(id, format4(pin, number))).status, 400, 'it is the present one')
      assert.equal(await withdraw(id, pin), '0000')
      assert.equal(await withdraw(id, `${pin.slice(0, -1)}0`), '1017')
      assert.equal(await withdraw(id, `${pin}0`.slice(0, 12)), pin.length < 12 ? '1017' : '0000')
      assert.match((await keptOf(id))?.value.reveal() ?? '', /^[0-9]{4,12}F*$/)
    }
  })

  test('a card keeps its PIN where the product takes up offsets', async () => {
    const { id, number } = await pinned()
    assert.equal((await change(id, format4('4831', number))).status, 200)
    const { card_product_id } = (await call('GET', `/v1/cards/${id}`)).body
    const path = `/v1/cardproducts/${card_product_id}`
    const changed = await call('PUT', path, { pin: { verification: 'OFFSET' } })
    assert.equal(changed.body.pin.verification, 'OFFSET')
    assert.deepEqual([await withdraw(id, '4831'), await withdraw(id, '4832')], ['0000', '1017'])
    assert.equal((await change(id, format4('4831', number))).status, 400, 'it is the present one')
    assert.equal((await change(id, format4('5924', number))).status, 200)
    assert.deepEqual([await withdraw(id, '4831'), await withdraw(id, '5924')], ['1017', '0000'])
  })

  test('403 where the tenant is not PCI compliant, also for a card that does not exist', async () => {
    const tenant = await world.otherTenant()
    const loose = await openIssuer(world, tenant)
    const { card_id } = await loose.card()
    for (const id of [card_id, randomUUID()]) {
      const { status, body } = await loose.call('PUT', `/v1/cards/${id}:changepin`, {
        enc_pin: '0'.repeat(32),
      })
      assert.deepEqual([status, body.code], [403, 'pci_compliance_required'])
    }
  })

  test('404 for a card that does not exist or is of another tenant', async () => {
    const otherIssuer = await openIssuer(world, await world.otherTenant({ pci_compliant: true }))
    const { card_id } = await otherIssuer.card()
    for (const id of [card_id, randomUUID()]) {
      assert.equal((await change(id, '0'.repeat(32))).status, 404)
    }
  })

  test('409 for a card that is not ACTIVE, naming its status', async () => {
    const { id, number } = await pinned({ initial_status_of_virtual_card: 'INACTIVE' })
    const statuses = [
      ['INACTIVE', 'I0'],
      ['ACTIVE', 'a0'],
      ['SUSPENDED', 'S0'],
      ['TERMINATED', 'T0'],
    ] as const
    for (const [status, status_reason_code] of statuses) {
      if (status !== 'INACTIVE') {
        await call('PUT', `/v1/cards/${id}:statuschange`, { status, status_reason_code })
      }
      const answer = await change(id, format4('4831', number))
      if (status === 'ACTIVE') assert.equal(answer.status, 200, answer.text)
      else {
        const { code, detail } = answer.body
        assert.deepEqual([answer.status, code], [409, 'card_not_active'])
        assert.equal(detail, `The card is ${status} (${status_reason_code}).`)
      }
    }
  })
})

/** A card with this very number: a product whose range holds no other. */
async function cardWithNumber(number: string, keys: object, length: number): Promise<string> {
  const body = number.slice(8, -1)
  const pan_range = { start_range: body, end_range: body }
  const product = {
    bin: number.slice(0, 8),
    pan_range,
    pin: { length, refuse_weak: false, ...ofLong },
  }
  const { card_id } = await issuer.card(100, product)
  const { body: card } = await call('GET', `/v1/cards/${card_id}`)
  await call('PUT', `/v1/simulate/cardproducts/${card.card_product_id}/keys`, keys)
  return card_id
}

/** Numbers that this platform could have issued. */
const issuable = ({ pan }: { pan: string }) => pan.length === 16 && isLuhn(pan)

describe('the vectors of PIN blocks', () => {
  const format4s = iso4.vectors.filter(issuable)
  const format0s = iso0.vectors.filter(issuable)
  test('hold numbers that can be issued', () => {
    assert.ok(format4s.length > 0 && format0s.length > 0)
  })
  for (const { id, pin, pan, key_hex, encrypted_block_hex } of format4s) {
    test(`${id} sets its PIN`, async () => {
      const card_id = await cardWithNumber(pan, { zpk_aes: key_hex }, pin.length)
      const { status, text } = await change(card_id, encrypted_block_hex)
      assert.equal(status, 200, text)
      assert.equal(await withdraw(card_id, pin), '0000')
    })
  }
  for (const { id, pin, pan, zpk_hex, encrypted_block_hex } of format0s) {
    test(`${id} sets its PIN`, async () => {
      const card_id = await cardWithNumber(pan, { zpk: zpk_hex }, pin.length)
      const { status, text } = await change(card_id, encrypted_block_hex)
      assert.equal(status, 200, text)
      assert.equal(await withdraw(card_id, pin), '0000')
    })
  }
})

describe('setPin', () => {
  const set = async (id: string, pin: string) => {
    const { body } = await call('GET', `/v1/cards/${id}`)
    return transact(await world.ctx(), (tx) => setPin(tx, body, new Secret(pin)))
  }

  test('stores the verification value under the product’s keys, and no wrong PINs', async () => {
    const { id, number } = await pinned()
    await set(id, '4831')
    assert.deepEqual([await withdraw(id, '4832'), (await keptOf(id))?.failures], ['1017', 1])
    await set(id, '4831')
    const pvk = new TdesKey(new Secret(Buffer.from(pinKeys.pvk, 'hex')))
    const { pvki } = pinKeys
    const pvv = pvvOf({ pvk, pvki, pan: new Secret(number), pin: new Secret('4831') })
    const kept = await keptOf(id)
    assert.deepEqual([kept?.value.reveal(), kept?.failures], [pvv.reveal(), 0])
  })

  for (const [what, pin] of [
    ['too short', '483'],
    ['too long', '48315'],
    ['not of digits', '48a1'],
    ['weak', '4444'],
    ['nothing', ''],
  ] as const) {
    test(`rejects a PIN that is ${what}, and stores and reports nothing`, async () => {
      const { id } = await pinned()
      await assert.rejects(set(id, pin), { code: 'pin_refused' })
      assert.equal(await keptOf(id), undefined)
    })
  }
})

/** Every table as text, bytes as hex: those that hold one of the texts. */
async function tablesHolding(texts: readonly string[]): Promise<string[]> {
  const tables = await world.db.introspection.getTables()
  const holding: string[] = []
  for (const { schema = 'public', name } of tables) {
    const { rows } = await sql<{ text: string | null }>`
      select string_agg(t::text, ' ') as text from ${sql.table(`${schema}.${name}`)} t`.execute(
      world.db,
    )
    const text = rows[0]?.text?.toLowerCase() ?? ''
    if (texts.some((one) => text.includes(one.toLowerCase()))) holding.push(`${schema}.${name}`)
  }
  return holding
}

test('no PIN and no block of one is in any row, log line or answer', async () => {
  // Long enough to occur nowhere by chance.
  const { id, number } = await pinned({ pin: { length: 12, ...ofLong } })
  const [pin, wrong] = ['483159260437', '592604371852']
  const blocks = [format4(pin, number), format0(wrong, number)]
  const answers: string[] = []
  for (const enc_pin of blocks) answers.push((await change(id, enc_pin)).text)
  for (const sent of [pin, wrong]) {
    const body = { card_id: id, amount: 1, currency: 'AED', pin: sent }
    const { text, body: transaction } = await call('POST', '/v1/simulate/authorizations', body)
    const trace = await call('GET', `/v1/transactions/${transaction.id}/trace`)
    answers.push(text, trace.text)
  }
  answers.push((await call('GET', '/v1/events?limit=200')).text)
  const texts = [pin, wrong, ...blocks].flatMap((text) => [
    text,
    Buffer.from(text).toString('hex'),
    Buffer.from(text).toString('base64'),
  ])
  assert.deepEqual(await tablesHolding(texts), [])
  for (const text of texts) {
    assert.equal(answers.join('\n').includes(text), false)
    assert.equal(world.logged.join('\n').includes(text), false)
  }
  const kept = await keptOf(id)
  const { rows } = await sql<{ sealed: string }>`
    select encode(sealed, 'hex') as sealed from vault.pins where card_id = ${id}`.execute(world.db)
  const pvv = Buffer.from(kept?.value.reveal() ?? '').toString('hex')
  assert.equal(rows.length, 1)
  assert.equal(rows[0]?.sealed.includes(pvv), false, 'the value itself is sealed')
})
