/** Wrong card data on a real database: counted exactly, whatever comes at once (D-122). */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { unpackTrace } from '#issuing/transactions/usual_checks.ts'
import { Secret } from '#lib/secret.ts'
import { freshBin } from '#test/support/contract/belongings.ts'
import { purchase, refusalIn, type TestMessage } from '#test/support/desk.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { keeper } from '#test/support/keeper.ts'
import { openSecondEngine } from '#test/support/processes/second_engine.ts'
import { openWorld } from '#test/support/world.ts'

const keep = keeper()
const world = keep(await openWorld())
const issuer = await openIssuer(world)
const { engine } = world
const second = keep(openSecondEngine(world))
const other = second.engine

const tenant_id = world.tenant.id
const submit = (request: TestMessage, by = engine) => by.submit(tenant_id, { request })
const codeOf = async (request: TestMessage, by = engine) => (await submit(request, by)).status_code

type Proofs = { card_id: string; number: string; cvv2: string; expiry: string }

async function proofsOf(card_id: string, path = `/v1/cards/${card_id}:reveal`): Promise<Proofs> {
  const { status, body, text } = await issuer.call('GET', path)
  assert.equal(status, 200, text)
  const { card_number, token_number: number = card_number, cvv2 = '', expiry_date } = body
  return { card_id, number, cvv2, expiry: expiry_date.slice(2).replace('-', '') }
}
const newCard = async (product: object = {}) =>
  proofsOf((await issuer.card(1_000, product)).card_id)

/** A purchase of 1.00 with this CVV2, which is another one unless it is `right`. */
function withCvv2(
  { number, cvv2 }: Proofs,
  given: string,
  fields: Partial<TestMessage> = {},
): TestMessage {
  const value = given === 'right' ? cvv2 : given
  const proof = { card: { pan: new Secret(number) }, cvv2: new Secret(value) }
  return purchase(undefined, 100n, { ...proof, ...fields })
}
const wrongOf = ({ cvv2 }: Proofs, add = 1) => String((Number(cvv2) + add) % 1_000).padStart(3, '0')
const withWrong = (card: Proofs, fields: Partial<TestMessage> = {}) =>
  withCvv2(card, wrongOf(card), fields)

async function guess(
  card: Proofs,
  times: number,
  fields: Partial<TestMessage> = {},
): Promise<void> {
  for (let at = 0; at < times; at += 1) await submit(withWrong(card, fields))
}

async function triesOf({ card_id }: Proofs): Promise<number | undefined> {
  const row = await world.db
    .selectFrom('card_verification_tries')
    .select('tries')
    .where('tenant_id', '=', tenant_id)
    .where('card_id', '=', card_id)
    .executeTakeFirst()
  return row?.tries.length
}

/** The detail of the check that declined, for each message of the card. */
async function declinesOf({ card_id }: Proofs): Promise<string[]> {
  const rows = await world.db
    .selectFrom('transactions')
    .select('details')
    .where('tenant_id', '=', tenant_id)
    .where('card_id', '=', card_id)
    .execute()
  return rows.map(({ details }) => refusalIn(unpackTrace(details.trace))?.[1] ?? '')
}
const countOf = (all: readonly string[], one: string) => all.filter((each) => each === one).length

const set = async (card_verification_max_tries: number | null) => {
  const { status } = await issuer.call('PUT', '/v1/tenantsettings', { card_verification_max_tries })
  assert.equal(status, 200)
}

describe('all CVV2 values at once', () => {
  for (const [what, product] of [
    ['a card with an account', {}],
    ['a card without an account', { link_account_to_card: false }],
  ] as const) {
    test(`of ${what}: exactly ten are looked at, in two processes`, async () => {
      const { body } = await issuer.call('POST', '/v1/users', { first_name: 'A', last_name: 'B' })
      const made = await issuer.call('POST', '/v1/cardproducts', {
        name: 'Many',
        currency: 'AED',
        bin: freshBin(),
        initial_status_of_virtual_card: 'ACTIVE',
        ...product,
      })
      assert.equal(made.status, 200, made.text)
      const issued = await issuer.call('POST', '/v1/cards', {
        user_id: body.id,
        card_product_id: made.body.id,
        card_type: 'VIRTUAL',
      })
      const card = await proofsOf(issued.body.id)
      const codes = await Promise.all(
        Array.from({ length: 999 }, (_, at) =>
          codeOf(withCvv2(card, wrongOf(card, at + 1)), at % 2 === 0 ? engine : other),
        ),
      )
      assert.equal(countOf(codes, '1022'), 999)
      const detail = await declinesOf(card)
      assert.equal(countOf(detail, 'CVV2 is wrong'), 10)
      assert.equal(countOf(detail, 'too many wrong tries: 10'), 989)
      assert.equal(await triesOf(card), 10)
      assert.equal(await codeOf(withCvv2(card, 'right')), '1022', 'the right one is not looked at')
    })
  }
})

describe('wrong card data', () => {
  test('of every kind counts on its card: CVV2, expiry date, CVV and service code', async () => {
    const card = await newCard()
    const by = { card: { pan: new Secret(card.number) } }
    const stripe = { ...by, entry_mode: 'MAGSTRIPE' as const }
    const value = new Secret('000')
    const right = { expiry: card.expiry }
    const rows: [Partial<TestMessage>, string][] = [
      [{ ...by, cvv2: new Secret(wrongOf(card)) }, '1022'],
      [{ ...by, expiry: '0101' }, '1804'],
      [{ ...stripe, ...right, track_expiry: '0101' }, '1804'],
      [{ ...stripe, track_cvv: { value: new Secret('1'), service_code: '201' } }, '1022'],
      [{ ...stripe, track_cvv: { value, service_code: '999' } }, '1022'],
      [{ ...stripe, track_cvv: { service_code: '000' } }, '1022'],
    ]
    for (const [at, [fields, code]] of rows.entries()) {
      assert.equal(await codeOf(purchase(undefined, 100n, fields)), code)
      assert.equal(await triesOf(card), at + 1)
    }
  })

  test('blocks for a process that starts anew, and only what was not read', async () => {
    const card = await newCard()
    await guess(card, 10)
    const anew = openSecondEngine(world)
    const started = anew.engine
    assert.equal(await codeOf(withCvv2(card, 'right'), started), '1022')
    await anew.close()
    const without = { card: { pan: new Secret(card.number) } }
    assert.equal(await codeOf(purchase(undefined, 100n, without)), '1022', 'without any proof too')
    const sale = { card_id: card.card_id, amount: 1, currency: 'AED', entry_mode: 'CHIP' }
    const chip = await issuer.call('POST', '/v1/simulate/authorizations', sale)
    assert.equal(chip.body.status_code, '0000')
    const refund = { ...without, message_type: '0200' as const, processing_code: '200000' }
    assert.equal(await codeOf(purchase(undefined, 100n, refund)), '0000', 'money back is let in')
  })

  test('is not forgotten when a right try comes between', async () => {
    const card = await newCard()
    await guess(card, 9)
    assert.equal(await codeOf(withCvv2(card, 'right')), '0000')
    assert.equal(await triesOf(card), 9)
    await guess(card, 1)
    assert.equal(await codeOf(withCvv2(card, 'right')), '1022')
  })

  test('of a wallet token and of its card count together', async () => {
    const card = await newCard()
    const { expiry_date } = (await issuer.call('GET', `/v1/cards/${card.card_id}`)).body
    const provisioned = await issuer.call('POST', '/v1/cards:provision', {
      card_number: card.number,
      expiry_date,
      cvv2: card.cvv2,
      wallet: 'APPLE',
    })
    assert.equal(provisioned.status, 200, provisioned.text)
    const token = await proofsOf(card.card_id, `/v1/tokens/${provisioned.body.id}:reveal`)
    await guess(token, 5, { cvv2: new Secret('0000') })
    await guess(card, 5)
    assert.equal(await triesOf(card), 10)
    const byToken = { card: { pan: new Secret(token.number) }, expiry: token.expiry }
    assert.equal(await codeOf(purchase(undefined, 100n, byToken)), '1022')
    assert.equal(await codeOf(withCvv2(card, 'right')), '1022')
  })

  test('in an advice, a repeat or a credit counts nothing', async () => {
    const card = await newCard()
    const advised_approval = { approved: true, approval_code: '123456' }
    await submit(withWrong(card, { message_type: '0120', advised_approval }))
    await submit(withWrong(card, { message_type: '0200', processing_code: '260000' }))
    assert.equal(await triesOf(card), undefined, 'no row without a wrong try')
    const request = withWrong(card)
    for (const expected of [false, true, true]) {
      assert.equal((await submit(request)).repeated, expected)
    }
    assert.equal(await triesOf(card), 1)
  })

  test('simulated by the API counts like that of the network', async () => {
    const card = await newCard()
    const simulate = async (fields: object) => {
      const body = { card_id: card.card_id, amount: 1, currency: 'AED', ...fields }
      return (await issuer.call('POST', '/v1/simulate/authorizations', body)).body.status_code
    }
    for (let at = 0; at < 5; at += 1) {
      assert.equal(await simulate({ cvv2: wrongOf(card) }), '1022')
      assert.equal(await simulate({ expiry: '2049-01' }), '1804')
    }
    assert.equal(await triesOf(card), 10)
    assert.equal(await simulate({ cvv2: card.cvv2 }), '1022')
  })

  test('is let in again 24 hours after the last of them, and counts anew', async () => {
    const tenant = await openIssuer(world, await world.otherTenant({ pci_compliant: true }))
    const { card_id } = await tenant.card(1_000)
    const { cvv2 } = (await tenant.call('GET', `/v1/cards/${card_id}:reveal`)).body
    const wrong = wrongOf({ card_id, cvv2, number: '', expiry: '' })
    const simulate = async (given: string) => {
      const body = { card_id, amount: 1, currency: 'AED', cvv2: given }
      return (await tenant.call('POST', '/v1/simulate/authorizations', body)).body.status_code
    }
    const wait = async (advance: string) => {
      assert.equal((await tenant.call('PUT', '/v1/simulate/clock', { advance })).status, 200)
    }
    for (let at = 0; at < 10; at += 1) await simulate(wrong)
    await wait('PT23H30M')
    assert.equal(await simulate(cvv2), '1022')
    await wait('PT31M')
    assert.equal(await simulate(cvv2), '0000', 'a blocked try is no further one')
    for (let at = 0; at < 9; at += 1) await simulate(wrong)
    assert.equal(await simulate(cvv2), '0000', 'those of the day before count no more')
    await simulate(wrong)
    assert.equal(await simulate(cvv2), '1022')
  })

  test('is allowed as often as the tenant sets, and 0 turns it off', async () => {
    const few = await newCard()
    await set(3)
    await guess(few, 5)
    assert.equal(await triesOf(few), 3)
    assert.equal(await codeOf(withCvv2(few, 'right')), '1022')
    await set(0)
    assert.equal(await codeOf(withCvv2(few, 'right')), '0000')
    const free = await newCard()
    await guess(free, 12)
    assert.equal(await triesOf(free), undefined)
    assert.equal(await codeOf(withCvv2(free, 'right')), '0000')
    await set(null)
    assert.equal(await codeOf(withCvv2(few, 'right')), '0000', 'three are fewer than ten')
  })
})
