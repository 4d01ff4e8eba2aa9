/** Payments, captures and refunds that come to no outcome by themselves are ended by the operator. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { mtiClass } from '#iso8583/mti.ts'
import { auditAll } from '#src/audit/audits.ts'
import { keepIn } from '#test/support/keeper.ts'
import { openIssuer, type Script } from './issuer.ts'
import { openShop, type Shop } from './shop.ts'

const card = { card_number: '4000001234567899', expiry: '12/49', cvv2: '123' }
const note = 'Telephone with the issuer, case 42'

/** Never answers messages of these classes. */
const silentFor =
  (...silent: string[]): Script =>
  ({ mti }) =>
    silent.includes(mtiClass(mti)) ? null : '00'

async function openScene(...silent: string[]) {
  await using opened = new AsyncDisposableStack()
  const issuer = keepIn(opened, await openIssuer(silentFor(...silent)))
  const shop = opened.use(await openShop({ issuer: issuer.port }))
  const kept = opened.move()
  return { shop, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

const operator = (shop: Shop) => ({
  list: async () => {
    const options = { key: shop.operator_key }
    const answer = await shop.request('GET', '/v1/operator/payments', undefined, options)
    assert.equal(answer.status, 200, answer.text)
    return answer.body.data
  },
  end: (id: string, outcome: 'APPROVED' | 'DECLINED') =>
    shop.request(
      'POST',
      `/v1/operator/payments/${id}:end`,
      { outcome, note },
      {
        key: shop.operator_key,
      },
    ),
})

/** Makes it as if the merchant's payments went to an issuer of ISSUERS_FILE. */
const abroad = async (shop: Shop) => {
  await sql`update acquirer_messages set issuer = 'abroad'`.execute(shop.db)
  await sql`update order_operations set issuer = 'abroad'`.execute(shop.db)
}

const loseCards = (shop: Shop) => sql`delete from merchant_vault.cards`.execute(shop.db)

/** Findings of doctor that name such a payment, without its others about payments in doubt. */
const doubts = async (shop: Shop) =>
  (await auditAll(shop.db)).filter(({ detail }) => detail.includes('/v1/operator/payments/'))

/** A payment whose outcome nobody knows. */
async function inDoubt(shop: Shop) {
  const checkout = await shop.checkout()
  await shop.submit(checkout.id, card)
  const { rows } = await sql<{ id: string; message_id: string }>`
    select id, message_id from checkouts where in_doubt`.execute(shop.db)
  const [row] = rows
  assert.ok(row)
  return { ...row, page: checkout.id, reference: checkout.reference }
}

describe('a payment whose card is not stored', { concurrency: 2 }, () => {
  test('is found by doctor and ends as declined, which frees its reference', async () => {
    await using scene = await openScene('0100', '0420')
    const { shop } = scene
    const { list, end } = operator(shop)
    const { message_id, reference } = await inDoubt(shop)
    assert.deepEqual(await list(), [])
    const early = await end(message_id, 'DECLINED')
    assert.deepEqual([early.status, early.body.code], [409, 'payment_not_stuck'])

    await loseCards(shop)
    assert.equal((await doubts(shop)).length, 1)
    const [stuck] = await list()
    assert.deepEqual(
      [stuck.id, stuck.type, stuck.reason, stuck.reference],
      [message_id, 'PAYMENT', 'CARD_MISSING', reference],
    )
    const ended = await end(message_id, 'DECLINED')
    assert.equal(ended.status, 200, ended.text)
    assert.deepEqual([ended.body.outcome, ended.body.note], ['DECLINED', note])
    const again = await end(message_id, 'APPROVED')
    assert.deepEqual([again.status, again.body.code], [409, 'payment_already_ended'])
    assert.deepEqual(await list(), [])
    await shop.checkout({ reference })
    assert.deepEqual(await auditAll(shop.db), [])
  })

  test('ends as approved by the id of its checkout, and its order exists', async () => {
    await using scene = await openScene('0100', '0420')
    const { shop } = scene
    const { id, reference } = await inDoubt(shop)
    await loseCards(shop)
    await abroad(shop)
    const { end } = operator(shop)
    const ended = await end(id, 'APPROVED')
    assert.equal(ended.status, 200, ended.text)
    const order = await shop.call('GET', `/orders/${reference}/`)
    assert.deepEqual([order.status, order.body.status], [200, 'OPENED'])
    assert.deepEqual(await auditAll(shop.db), [])
  })

  test('is not known by another id, and needs a note', async () => {
    await using scene = await openScene()
    const { shop } = scene
    const { end } = operator(shop)
    assert.equal((await end(shop.merchant.id, 'DECLINED')).status, 404)
    const path = `/v1/operator/payments/${shop.merchant.id}:end`
    const bare = await shop.request(
      'POST',
      path,
      { outcome: 'DECLINED' },
      {
        key: shop.operator_key,
      },
    )
    assert.equal(bare.status, 400)
  })
})

test('a payment of this issuer ends as its transactions say, and in no other way', async () => {
  await using opened = new AsyncDisposableStack()
  const silent = keepIn(opened, await openIssuer(silentFor('0100', '0420')))
  const shop = opened.use(await openShop())
  shop.connectTo(silent.port)
  const { message_id } = await inDoubt(shop)
  await loseCards(shop)
  const { end } = operator(shop)
  const wrong = await end(message_id, 'APPROVED')
  assert.deepEqual([wrong.status, wrong.body.code], [409, 'payment_outcome_contradicted'])
  assert.equal((await end(message_id, 'DECLINED')).status, 200)
  assert.deepEqual(await auditAll(shop.db, true), [])
})

describe('an operation that its issuer does not answer for a day', { concurrency: 2 }, () => {
  /** Their messages are of the day before, and the issuer has not answered since. */
  const aDayLater = (shop: Shop) =>
    sql`update acquirer_messages set created = created - interval '25 hours'
      where status in ('PENDING', 'REVERSING')`.execute(shop.db)

  test('is a refund that ends as approved, and counts', async () => {
    await using scene = await openScene('0200', '0420')
    const { shop } = scene
    const { reference } = await shop.order(card)
    await shop.call('POST', `/orders/${reference}/capture/`)
    const refund = { total: '40', currency: 'AED' }
    const asked = await shop.call('POST', `/orders/${reference}/refund/`, refund)
    assert.notEqual(asked.status, 200)
    const { list, end } = operator(shop)
    assert.deepEqual(await list(), [])
    await aDayLater(shop)
    await abroad(shop)
    const [stuck] = await list()
    assert.deepEqual([stuck.type, stuck.reason], ['REFUND', 'UNANSWERED'])
    assert.equal((await doubts(shop)).length, 1)
    const ended = await end(stuck.operation_id, 'APPROVED')
    assert.equal(ended.status, 200, ended.text)
    const order = await shop.call('GET', `/orders/${reference}/`)
    assert.equal(Number(order.body.total_refund), 40)
    assert.deepEqual(await auditAll(shop.db), [])
  })

  test('is a capture that ends as declined, and can be captured again', async () => {
    await using scene = await openScene('0220')
    const { shop } = scene
    const { reference } = await shop.order(card)
    const asked = await shop.call('POST', `/orders/${reference}/capture/`)
    assert.notEqual(asked.status, 200)
    await aDayLater(shop)
    const { list, end } = operator(shop)
    const [stuck] = await list()
    assert.equal(stuck.type, 'CAPTURE')
    assert.equal((await end(stuck.id, 'DECLINED')).status, 200)
    const order = await shop.call('GET', `/orders/${reference}/`)
    assert.equal(order.body.status, 'OPENED')
    assert.deepEqual(await list(), [])
    assert.deepEqual(await auditAll(shop.db), [])
  })
})
