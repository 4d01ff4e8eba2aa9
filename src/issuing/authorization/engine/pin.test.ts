/** PINs through the engine on a real database: counted exactly, whatever comes at once. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createRange, issueNumbers, lockPins, revealNumber } from '#issuing/vault/vault.ts'
import { transact } from '#kit/context.ts'
import { newId } from '#lib/id.ts'
import { Secret } from '#lib/secret.ts'
import { freshBin } from '#test/support/contract/belongings.ts'
import { purchase, settingsOf, type TestMessage } from '#test/support/desk.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { keeper } from '#test/support/keeper.ts'
import { format0, format4, oneNumber, preparePins } from '#test/support/network/pins.ts'
import { openSecondEngine } from '#test/support/processes/second_engine.ts'
import { openWorld } from '#test/support/world.ts'

const keep = keeper()
const world = keep(await openWorld())
const issuer = await openIssuer(world)
const { engine } = world
const second = keep(openSecondEngine(world))
const other = second.engine

const tenant_id = world.tenant.id
const codeOf = async (request: TestMessage, by = engine) =>
  (await by.submit(tenant_id, { request })).status_code

type Pinned = { card_id: string; account_id: string; number: string }

/** A card whose PIN is 4831. */
async function pinned(product: object = {}): Promise<Pinned> {
  const { card_id, account_id } = await issuer.card(1_000, { ...oneNumber, ...product })
  const number = await preparePins(world, card_id, issuer.tenant.api_key)
  await change(card_id, format4('4831', number))
  return { card_id, account_id, number }
}

async function change(card_id: string, enc_pin: string): Promise<void> {
  const path = `/v1/cards/${card_id}:changepin`
  const { status, text } = await issuer.call('PUT', path, { enc_pin })
  assert.equal(status, 200, text)
}

/** A withdrawal of 1.00 by the card's number with this PIN block. */
function withBlock(
  { card_id, number }: Pinned,
  block: string,
  fields: Partial<TestMessage> = {},
): TestMessage {
  return purchase({ card_id }, 100n, {
    card: { pan: new Secret(number) },
    processing_code: '010000',
    pin_block: new Secret(block),
    ...fields,
  })
}
const withPin = (card: Pinned, pin: string, fields: Partial<TestMessage> = {}): TestMessage =>
  withBlock(card, format4(pin, card.number), fields)

async function failuresOf({ card_id }: Pinned): Promise<number | undefined> {
  const pins = await transact(await world.ctx(), (tx) => lockPins(tx, [card_id]))
  return pins.get(card_id)?.failures
}
const countOf = (codes: readonly string[], code: string) =>
  codes.filter((one) => one === code).length

describe('64 wrong PINs at once', () => {
  for (let round = 1; round <= 20; round += 1) {
    test(`round ${round}: three are looked at, the others find it blocked`, async () => {
      const card = await pinned()
      const codes = await Promise.all(
        Array.from({ length: 64 }, (_, at) => {
          const pin = String(5_000 + at)
          return codeOf(withPin(card, pin), at % 2 === 0 ? engine : other)
        }),
      )
      assert.deepEqual([countOf(codes, '1017'), countOf(codes, '1006')], [3, 61])
      assert.equal(await failuresOf(card), 3)
      assert.equal(await codeOf(withPin(card, '4831')), '1006', 'the right one is not looked at')
      await change(card.card_id, format4('5924', card.number))
      assert.equal(await codeOf(withPin(card, '5924')), '0000', 'a new PIN unblocks')
    })
  }

  test('as many as the product allows', async () => {
    const card = await pinned({ pin: { max_tries: 5 } })
    const codes = await Promise.all(Array.from({ length: 30 }, () => codeOf(withPin(card, '5000'))))
    assert.deepEqual([countOf(codes, '1017'), countOf(codes, '1006')], [5, 25])
  })

  test('of cards on one account and on many, each counts for itself', async () => {
    const first = await pinned({ pan_range: { start_range: 7, end_range: 8 } })
    const on = await issuer.cardOn({ ...first, user_id: (await cardOf(first)).user_id })
    const number = (await revealNumber(await world.ctx(), on.card_id)).reveal()
    await change(on.card_id, format4('4831', number))
    const cards = [first, { ...on, number }, await pinned(), await pinned()]
    const codes = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        Promise.all(
          cards.map((card) => codeOf(withPin(card, '5000'), at % 2 === 0 ? engine : other)),
        ),
      ),
    )
    for (const [at] of cards.entries()) {
      const own = codes.map((row) => row[at] ?? '')
      assert.deepEqual([countOf(own, '1017'), countOf(own, '1006')], [3, 5])
    }
  })
})

const cardOf = async ({ card_id }: Pinned) =>
  (await issuer.call('GET', `/v1/cards/${card_id}`)).body

describe('a PIN', () => {
  test('that is blocked stays so for a process that starts anew', async () => {
    const card = await pinned()
    for (const pin of ['5000', '5001', '5002']) await codeOf(withPin(card, pin))
    const anew = openSecondEngine(world)
    const started = anew.engine
    assert.equal(await codeOf(withPin(card, '4831'), started), '1006')
    await anew.close()
  })

  test('that is right begins anew, also where the money is short', async () => {
    const card = await pinned()
    assert.deepEqual(
      [
        await codeOf(withPin(card, '5000')),
        await codeOf(withPin(card, '5000')),
        await codeOf(withPin(card, '4831', { amount: 1_000_000n })),
      ],
      ['1017', '1017', '1016'],
    )
    assert.equal(await failuresOf(card), 0)
  })

  test('in a block of format 0 is as good as in one of format 4', async () => {
    const card = await pinned()
    assert.equal(await codeOf(withBlock(card, format0('4831', card.number))), '0000')
    assert.equal(await codeOf(withBlock(card, format0('4832', card.number))), '1017')
  })

  test('in a block that cannot be read is a wrong one and counts', async () => {
    const card = await pinned()
    const { number } = await pinned()
    assert.equal(await codeOf(withBlock(card, format4('4831', number))), '1017')
    assert.equal(await codeOf(withBlock(card, '0'.repeat(32))), '1017')
    assert.equal(await failuresOf(card), 2)
  })

  test('of a card that has none is wrong, and nothing is counted', async () => {
    const { card_id, account_id } = await issuer.card(100)
    const number = await preparePins(world, card_id, issuer.tenant.api_key)
    const card = { card_id, account_id, number }
    const codes = await Promise.all(Array.from({ length: 5 }, () => codeOf(withPin(card, '4831'))))
    assert.deepEqual(codes, Array(5).fill('1017'))
    assert.equal(await failuresOf(card), undefined)
  })

  test('a message without one leaves a blocked PIN alone and pays', async () => {
    const card = await pinned()
    for (const pin of ['5000', '5001', '5002']) await codeOf(withPin(card, pin))
    const { pin_block: _none, ...without } = withPin(card, '4831')
    assert.equal(await codeOf(without), '0000')
    assert.equal(await failuresOf(card), 3)
  })

  test('changed while wrong ones come in is right or wrong, and never lost', async () => {
    const card = await pinned()
    const [codes] = await Promise.all([
      Promise.all(Array.from({ length: 32 }, () => codeOf(withPin(card, '5000')))),
      change(card.card_id, format4('5924', card.number)),
    ])
    assert.ok(countOf(codes, '1017') <= 6 && countOf(codes, '1017') >= 3)
    await change(card.card_id, format4('7306', card.number))
    assert.equal(await codeOf(withPin(card, '7306')), '0000')
  })
})

/** A token of the card with a number of its own. */
type TokenStatus = 'ACTIVE' | 'SUSPENDED' | 'DELETED'

async function tokenOf({ card_id }: Pinned, status: TokenStatus, expiry_date: string) {
  const ctx = await world.ctx()
  const token_id = newId()
  const { card_product_id } = (await issuer.call('GET', `/v1/cards/${card_id}`)).body
  const bin = freshBin()
  await transact(ctx, async (tx) => {
    const range = { card_product_id, bin, range_start: 0n, range_end: 9n }
    await createRange(tx, range, 'TOKEN')
    const [issued] = await issueNumbers(tx, { card_product_id, token_id, token_of: card_id })
    assert.ok(issued)
    const { last_four } = issued
    const row = {
      tenant_id,
      id: token_id,
      card_id,
      wallet: 'APPLE' as const,
      status,
      bin,
      last_four,
    }
    const times = { created: tx.now, modified: tx.now }
    await tx.db
      .insertInto('tokens')
      .values({ ...row, expiry_date, ...times })
      .execute()
  })
  const number = (await revealNumber(ctx, token_id)).reveal()
  const set = (next: TokenStatus) =>
    world.db.updateTable('tokens').set({ status: next }).where('id', '=', token_id).execute()
  return { card_id, account_id: '', number, set }
}

describe('a wallet token', () => {
  test('acts on its card while it is ACTIVE, and is declined by its own expiry', async () => {
    const card = await pinned()
    const { expiry_date } = await cardOf(card)
    const own = expiry_date === '2030-01' ? '2030-02' : '2030-01'
    const token = await tokenOf(card, 'ACTIVE', own)
    const pay = (fields: Partial<TestMessage> = {}) =>
      purchase(undefined, 100n, { card: { pan: new Secret(token.number) }, ...fields })
    const given = (month: string) => ({ expiry: month.slice(2).replace('-', '') })
    const answer = await engine.submit(tenant_id, { request: pay(given(own)) })
    assert.equal(answer.status_code, '0000')
    const { body } = await issuer.call('GET', `/v1/transactions/${answer.transaction_id}`)
    assert.equal(body.card_id, card.card_id)
    assert.equal((await issuer.account(card.account_id)).held, 1)
    assert.equal(await codeOf(pay(given(expiry_date))), '1804')
    for (const [status, code] of [
      ['SUSPENDED', '1890'],
      ['DELETED', '1890'],
      ['ACTIVE', '0000'],
    ] as const) {
      await token.set(status)
      assert.equal(await codeOf(pay()), code)
    }
    const refund = pay({ message_type: '0200', processing_code: '200000' })
    await token.set('DELETED')
    assert.equal(await codeOf(refund), '0000', 'money comes back to the card all the same')
  })

  test('brings a PIN in a block over its own number; the PIN is the card’s', async () => {
    const card = await pinned()
    const token = await tokenOf(card, 'ACTIVE', '2030-01')
    assert.equal(await codeOf(withPin(token, '4831')), '0000')
    assert.equal(await codeOf(withPin(token, '5000')), '1017')
    assert.equal(await codeOf(withBlock(token, format4('4831', card.number))), '1017')
    assert.equal(await failuresOf(card), 2)
    const by_number = { card_number: token.number, amount: 1, currency: 'AED', pin: '4831' }
    const { body } = await issuer.call('POST', '/v1/simulate/authorizations', by_number)
    assert.equal(body.status_code, '0000')
    assert.equal(await failuresOf(card), 0)
  })
})

describe('a simulated authorization', () => {
  test('with a PIN and an unknown number is 1018', async () => {
    const body = { card_number: '4999991234567890', amount: 1, currency: 'AED', pin: '4831' }
    const answer = await issuer.call('POST', '/v1/simulate/authorizations', body)
    assert.equal(answer.body.status_code, '1018')
  })

  test('400 for a PIN that is none, which the answer does not contain', async () => {
    const { card_id } = await issuer.card()
    for (const pin of ['483', '4831592604371', '48a1', 4831]) {
      const body = { card_id, amount: 1, currency: 'AED', pin }
      const answer = await issuer.call('POST', '/v1/simulate/authorizations', body)
      assert.equal(answer.status, 400)
      assert.deepEqual(
        answer.body.errors.map(({ path }: { path: string }) => path),
        ['pin'],
      )
      // Ids and instants in it have such digits by chance.
      const { request_id: _id, ...rest } = answer.body
      assert.equal(JSON.stringify(rest).includes(String(pin)), false)
    }
  })
})

describe('a card that is moved', () => {
  test('out of its time for plastic is declined (1806); blocked or suspended, so is it (1003)', async () => {
    const card = await pinned()
    const frozen_settings = JSON.stringify(settingsOf({}, {}))
    const frozen = { frozen_settings, migration_started: new Date(0) }
    const put = (fields: object) =>
      world.db
        .updateTable('cards')
        .set({ ...fields })
        .where('id', '=', card.card_id)
        .execute()
    const pay = () => codeOf(purchase(card, 100n))
    const later = new Date(Date.now() + 60_000)
    await put({ ...frozen, status_reason_code: 'AT', migration_ends: later })
    assert.equal(await pay(), '0000')
    await put({ status: 'SUSPENDED', status_reason_code: 'ST' })
    assert.equal(await pay(), '1003')
    await put({ migration_ends: new Date(Date.now() - 60_000) })
    assert.equal(await pay(), '1806')
    await put({ status: 'ACTIVE', status_reason_code: 'AT' })
    assert.equal(await pay(), '1806')
    await put({ status_reason_code: 'A0' })
    assert.equal(await pay(), '0000')
    const blocked = { provisioning_blocked_until: later, status_reason_code: 'P0' }
    await put({ ...blocked, status: 'SUSPENDED' })
    assert.equal(await pay(), '1003')
  })
})
