/** A dispute at both sides: the issuer's books, and the shop's dispute, statement and payout. */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { auditAll } from '#src/audit/audits.ts'
import { keeper } from '#test/support/keeper.ts'
import { openShop } from './shop.ts'

const keep = keeper()
const shop = keep(
  await openShop({ settings: { fees: [{ currency: 'AED', fixed: 1, chargeback_fee: 15 }] } }),
)
const HUNDRED = 10_000n

/** A captured order of 100.00 AED, and the card transaction that paid it. */
async function captured() {
  const customer = await shop.customer(HUNDRED)
  const order = await shop.order(customer, { total: '100.00' })
  const { reference } = order
  const done = await shop.call('POST', `/orders/${reference}/capture`, { total: '100.00' })
  assert.equal(done.body.status, 'SUCCESS', done.text)
  const path = `/v1/transactions?card_id=${customer.card_id}`
  const { body } = await shop.request('GET', path)
  return { customer, reference: String(reference), transaction_id: String(body.data[0].id) }
}
async function issuing(path: string, body: object = {}) {
  const answer = await shop.request('POST', `/v1/${path}`, body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const disputesOf = async (reference: string) =>
  (await shop.call('GET', `/disputes/?reference=${reference}`)).body.data
async function charged() {
  const paid = await captured()
  const input = { reason: 'NOT_RECEIVED', explanation: 'It never came.' }
  const opened = await issuing('disputes', { transaction_id: paid.transaction_id, ...input })
  await issuing(`disputes/${opened.id}:submit`)
  const sent = await shop.request(
    'POST',
    `/v1/operator/disputes/${opened.id}:record`,
    { step: 'SENT' },
    { key: shop.operator_key },
  )
  assert.equal(sent.body.status, 'CHARGED_BACK', sent.text)
  const [dispute] = await disputesOf(paid.reference)
  return { ...paid, issuer_id: String(opened.id), dispute }
}
const atIssuer = async (id: string) => (await shop.request('GET', `/v1/disputes/${id}`)).body.status
const operate = (path: string, body: object) =>
  shop.request('POST', `/v1/operator/${path}`, body, { key: shop.operator_key })

describe('a dispute of an order', () => {
  test('takes its amount and its fee from the shop, which sees it', async () => {
    const { reference, dispute } = await charged()
    assert.partialDeepStrictEqual(dispute, {
      ...{ reference, status: 'NEEDS_RESPONSE', reason: 'NOT_RECEIVED', currency: 'AED' },
      ...{ amount: '100.0000', fee: '15.0000', evidence: {} },
    })
    const { body } = await shop.call('GET', `/disputes/${dispute.dispute_id}`)
    assert.deepEqual(body, dispute)
  })

  test('with evidence is presented to the issuer again, and is won with it', async () => {
    const { reference, issuer_id, dispute, customer } = await charged()
    const evidence = { proof_of_delivery: 'Signed' }
    const path = `/disputes/${dispute.dispute_id}`
    for (const blank of ['', ' \n']) {
      const sent = { ...evidence, receipt: blank }
      assert.equal((await shop.call('POST', `${path}/evidence/`, sent)).status, 400)
    }
    assert.equal((await disputesOf(reference))[0].status, 'NEEDS_RESPONSE')
    const answered = await shop.call('POST', `${path}/evidence/`, evidence)
    assert.partialDeepStrictEqual(answered.body, { status: 'UNDER_REVIEW', evidence })
    assert.equal(await atIssuer(issuer_id), 'REPRESENTED')
    const again = await shop.call('POST', `${path}/evidence`, evidence)
    assert.equal(again.status, 409)
    await issuing(`disputes/${issuer_id}:accept`)
    const [decided] = await disputesOf(reference)
    assert.equal(decided.status, 'WON')
    assert.equal((await shop.account(customer)).balance, 0n)
  })

  test('that the shop accepts is won by the cardholder', async () => {
    const { issuer_id, dispute, customer } = await charged()
    const { body } = await shop.call('POST', `/disputes/${dispute.dispute_id}/accept/`)
    assert.equal(body.status, 'ACCEPTED')
    assert.equal(await atIssuer(issuer_id), 'WON')
    assert.equal((await shop.account(customer)).balance, 10_000n)
  })

  test('that the issuer takes back gives the shop its money back', async () => {
    const { issuer_id, reference } = await charged()
    await issuing(`disputes/${issuer_id}:withdraw`)
    assert.equal((await disputesOf(reference))[0].status, 'WITHDRAWN')
  })

  test('beside its statement and payouts leaves nothing that doctor finds', async () => {
    const { body: statement } = await shop.call('GET', '/statement')
    const [aed] = statement.data
    // Four orders of 100.00; four disputes, of which one was won and one withdrawn.
    assert.partialDeepStrictEqual(aed, {
      ...{ captures: 4, captured: '400.0000', chargebacks: 4, charged_back: '200.0000' },
      ...{ fees: '64.0000', net: '136.0000', payout_due: '136.0000' },
    })
    await shop.request('PUT', '/v1/simulate/clock', { advance: 'P2D' })
    await shop.signIn()
    const { body } = await shop.call('GET', '/payouts')
    assert.partialDeepStrictEqual(body.data, [
      { captures: 4, chargebacks: 4, charged_back: '200.0000', amount: '136.0000' },
    ])
    assert.deepEqual(await auditAll(shop.db, true), [])
  })
})

describe('both sides of a dispute', () => {
  test('have their parts where the shop presents a part of it again', async () => {
    const { issuer_id, reference, customer } = await charged()
    await issuing(`simulate/disputes/${issuer_id}:represent`, { amount: 60 })
    await issuing(`disputes/${issuer_id}:accept`)
    const [decided] = await disputesOf(reference)
    assert.partialDeepStrictEqual(decided, { status: 'WON', amount: '100.0000' })
    assert.equal(decided.returned, '60.0000')
    assert.equal((await shop.account(customer)).balance, 4_000n)
    assert.deepEqual(await auditAll(shop.db, true), [])
  })

  test('move together where an order has two', async () => {
    const paid = await captured()
    const open = async (amount: number) => {
      const input = { reason: 'NOT_RECEIVED', explanation: 'It never came.', amount }
      const { transaction_id } = paid
      const { id } = await issuing('disputes', { transaction_id, ...input })
      await issuing(`disputes/${id}:submit`)
      await operate(`disputes/${id}:record`, { step: 'SENT' })
      return String(id)
    }
    const first = await open(30)
    const second = await open(70)
    const at = async (amount: string) =>
      (await disputesOf(paid.reference)).find((one: { amount: string }) => one.amount === amount)
    const path = `/disputes/${(await at('30.0000')).dispute_id}`
    await shop.call('POST', `${path}/evidence/`, { receipt: 'Receipt 7' })
    assert.deepEqual(
      [await atIssuer(first), await atIssuer(second)],
      ['REPRESENTED', 'CHARGED_BACK'],
    )
    await issuing(`disputes/${first}:accept`)
    assert.equal((await at('30.0000')).status, 'WON')
    assert.equal((await at('70.0000')).status, 'NEEDS_RESPONSE')
    await issuing(`disputes/${second}:withdraw`)
    assert.equal((await at('70.0000')).status, 'WITHDRAWN')
  })

  test('are listed for the shop by the deadline while they wait, and by the reason', async () => {
    const { dispute } = await charged()
    const other = await charged()
    const both = [dispute.dispute_id, other.dispute.dispute_id]
    const waiting = async (query: string) =>
      (await shop.call('GET', `/disputes/?${query}`)).body.data
        .map((one: { dispute_id: string }) => one.dispute_id)
        .filter((id: string) => both.includes(id))
    assert.deepEqual(await waiting('sort_by=respond_by&status=NEEDS_RESPONSE'), both)
    assert.deepEqual(await waiting('reason=FRAUD'), [])
    assert.deepEqual(await waiting('respond_before=2001-01-01T00:00:00Z'), [])
    const before = 'respond_before=2999-01-01T00:00:00Z'
    assert.deepEqual(await waiting(before), both.toReversed())
    await issuing(`disputes/${other.issuer_id}:withdraw`)
    assert.deepEqual(await waiting('sort_by=respond_by'), [dispute.dispute_id])
    await shop.call('POST', `/disputes/${dispute.dispute_id}/accept/`)
    assert.deepEqual(await waiting('sort_by=respond_by'), [])
  })
})

describe('the operator', () => {
  test('records a chargeback of an order, never of more than is left of it', async () => {
    const { reference } = await captured()
    const body = { merchant_id: shop.merchant.id, reference, reason: 'Fraud', amount: 60 }
    const first = await operate('chargebacks', body)
    assert.partialDeepStrictEqual(first.body, { status: 'NEEDS_RESPONSE', amount: '60.0000' })
    assert.equal((await operate('chargebacks', body)).body.code, 'chargeback_exceeds_order')
    for (const unknown of [
      { merchant_id: randomUUID() },
      { reference: 'none' },
      { reason: '' },
      { reason: ' ' },
    ]) {
      const refused = await operate('chargebacks', { ...body, ...unknown })
      assert.equal(refused.body.errors[0].path, Object.keys(unknown)[0])
    }
    const won = await operate(`chargebacks/${first.body.dispute_id}:record`, { step: 'WIN' })
    assert.equal(won.body.status, 'WON')
    assert.equal((await operate('chargebacks', body)).status, 200)
  })

  test('a dispute that the shop does not answer in time is lost', async () => {
    const { reference } = await captured()
    const body = { merchant_id: shop.merchant.id, reference, reason: 'Fraud' }
    const { dispute_id } = (await operate('chargebacks', body)).body
    await shop.request('PUT', '/v1/simulate/clock', { advance: 'P21D' })
    await shop.signIn()
    const { body: lost } = await shop.call('GET', `/disputes/${dispute_id}`)
    assert.equal(lost.status, 'LOST')
    const late = await shop.call('POST', `/disputes/${dispute_id}/accept`)
    assert.equal(late.status, 409)
    assert.deepEqual(await auditAll(shop.db, true), [])
  })
})
