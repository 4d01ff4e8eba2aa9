/** Payments in another currency through the API: rates in every process, and the books (D-51). */

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Engine } from '#issuing/authorization/authorization.ts'
import { auditLedger } from '#issuing/ledger/ledger.ts'
import { auditTransactions } from '#issuing/transactions/transactions.ts'
import { ofTenant } from '#kit/audit.ts'
import { purchase } from '#test/support/desk.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { openSecondEngine } from '#test/support/processes/second_engine.ts'
import { openWorld } from '#test/support/world.ts'

const world = await openWorld()
const second = openSecondEngine(world)
after(async () => {
  await second.close()
  await world[Symbol.asyncDispose]()
})
const issuer = await openIssuer(world)
const { call } = issuer
const PATH = '/v1/simulate/authorizations'

async function setRate(from: string, rate: string, to = 'AED', tenant_id?: string) {
  const body = { ...(tenant_id && { tenant_id }), rates: [{ from, to, rate }] }
  const options = { key: world.operator_key }
  const answer = await world.request('PUT', '/v1/operator/rates', body, options)
  assert.equal(answer.status, 200, answer.text)
}

async function pay(card_id: string, amount: number, currency: string, fields: object = {}) {
  const body = { card_id, amount, currency, ...fields }
  const answer = await call('POST', PATH, body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

const act = async (id: string, verb: string, body?: object) =>
  (await call('POST', `${PATH}/${id}:${verb}`, body)).body

/** Balances of the program's accounts in AED, by kind. */
async function programAccounts(): Promise<Record<string, number>> {
  const path = `/v1/operator/tenants/${world.tenant.id}/programaccounts`
  const { body } = await world.request('GET', path, undefined, { key: world.operator_key })
  const own = body.data.filter(({ currency }: { currency: string }) => currency === 'AED')
  return Object.fromEntries(
    own.map(({ kind, balance }: { kind: string; balance: number }) => [kind, balance]),
  )
}

test('a payment shows both amounts and the rates of its authorization and its clearing', async () => {
  const { card_id, account_id } = await issuer.card(1_000)
  await setRate('USD', '3.6725')
  const held = await pay(card_id, 100, 'USD')
  assert.partialDeepStrictEqual(held, {
    status: 'PENDING',
    amount: 100,
    currency: 'USD',
    rate: '3.6725',
    billing_amount: 367.25,
    billing_currency: 'AED',
    cleared_amount: 0,
  })
  assert.equal('clearing_rate' in held, false)
  assert.equal(held.events[0].amount, 100)
  const before = await programAccounts()
  await setRate('USD', '3.7')
  const part = await act(held.id, 'clear', { amount: 40 })
  assert.partialDeepStrictEqual(part, { cleared_amount: 146.9, clearing_rate: '3.7' })
  const rest = await act(held.id, 'clear')
  assert.partialDeepStrictEqual(rest, { status: 'SETTLED', cleared_amount: 367.25, rate: '3.6725' })
  assert.deepEqual(await issuer.account(account_id), {
    balance: 632.75,
    held: 0,
    available: 632.75,
  })
  const { FX = 0, SETTLEMENT = 0 } = await programAccounts()
  assert.equal((FX - (before['FX'] ?? 0)).toFixed(2), '-2.75')
  assert.equal((SETTLEMENT - (before['SETTLEMENT'] ?? 0)).toFixed(2), '370.00')
  const stored = await call('GET', `/v1/transactions/${held.id}`)
  assert.deepEqual(stored.body, rest)
})

test('increments, reversals in part and refunds are in the currency of the payment', async () => {
  const { card_id, account_id } = await issuer.card(1_000)
  await setRate('EUR', '4')
  const { id } = await pay(card_id, 50, 'EUR')
  await act(id, 'increment', { amount: 10 })
  assert.equal((await issuer.account(account_id)).held, 240)
  const less = await act(id, 'reverse', { amount: 20 })
  assert.partialDeepStrictEqual(less, { amount: 40, billing_amount: 160 })
  assert.partialDeepStrictEqual(await act(id, 'clear'), { status: 'SETTLED', cleared_amount: 160 })
  const refund = { transaction_id: id, amount: 15, currency: 'EUR' }
  const back = await call('POST', '/v1/simulate/refunds', refund)
  assert.partialDeepStrictEqual(back.body, { status: 'SETTLED', billing_amount: 60, rate: '4' })
  assert.deepEqual(await issuer.account(account_id), { balance: 900, held: 0, available: 900 })
})

test('without a rate: 1888; a rate that is set next acts on the next authorization', async () => {
  const { card_id } = await issuer.card(1_000)
  const none = await pay(card_id, 1_000, 'JPY')
  assert.partialDeepStrictEqual(none, { status: 'DECLINED', status_code: '1888' })
  assert.equal('billing_amount' in none, false)
  await setRate('JPY', '0.0244')
  assert.partialDeepStrictEqual(await pay(card_id, 1_000, 'JPY'), { billing_amount: 24.4 })
  await setRate('JPY', '0.025')
  assert.partialDeepStrictEqual(await pay(card_id, 1_000, 'JPY'), { billing_amount: 25 })
})

test('a rate of the tenant comes before that of all tenants', async () => {
  const { card_id } = await issuer.card(1_000)
  await setRate('GBP', '4.6')
  assert.equal((await pay(card_id, 10, 'GBP')).billing_amount, 46)
  await setRate('GBP', '4.7', 'AED', world.tenant.id)
  assert.equal((await pay(card_id, 10, 'GBP')).billing_amount, 47)
  await setRate('GBP', '4.8')
  assert.equal((await pay(card_id, 10, 'GBP')).billing_amount, 47)
  await setRate('GBP', '4.9', 'AED', (await world.otherTenant()).id)
  assert.equal((await pay(card_id, 10, 'GBP')).billing_amount, 47)
})

test('a rate that the API has answered decides in every process from then on', async () => {
  const card = await issuer.card(100_000)
  const engines = [world.engine, second.engine, world.engine, second.engine]
  for (let round = 1; round <= 12; round++) {
    const rate = `2.${String(round).padStart(2, '0')}`
    const ask = (engine: Engine) =>
      engine.submit(world.tenant.id, { request: purchase(card, 100n, { currency: 'CHF' }) })
    // They are under way while the rate changes; whatever they get is one of the two rates.
    const racing = engines.map(ask)
    await setRate('CHF', rate)
    const later = await Promise.all(engines.map(ask))
    await Promise.all(racing)
    for (const answer of later) {
      const { body } = await call('GET', `/v1/transactions/${answer.transaction_id}`)
      assert.equal(body.rate, rate)
    }
  }
})

test('the books agree after all of it', async () => {
  assert.deepEqual(await auditLedger(world.db), [])
  assert.deepEqual(await auditTransactions(world.db, ofTenant(world.tenant.id)), [])
})
