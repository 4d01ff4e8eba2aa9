/** `what_if`: a decision without an effect (D-468). */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { listBaseTables } from '#test/support/inspection/base_tables.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { keeper } from '#test/support/keeper.ts'
import { openWorld } from '#test/support/world.ts'

const keep = keeper()
const world = keep(await openWorld())
const issuer = await openIssuer(world)
const { call } = issuer

const PATH = '/v1/simulate/authorizations'
const requestOf = (body: object) => ({ amount: 10, currency: 'AED', ...body })
const authorize = (body: object) => call('POST', PATH, requestOf(body))
const whatIf = (body: object, options = {}) =>
  call('POST', `${PATH}?what_if=true`, requestOf(body), options)

type Shown = { check: string; verdict: string; decisive: boolean; detail: string }

/** Every row of the database except the counters of any request. */
async function contents(): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const table of await listBaseTables(world.db)) {
    const { rows } = await sql<{ digest: string }>`
      select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as digest
      from ${sql.raw(table)} t`.execute(world.db)
    found.set(table, rows[0]?.digest ?? '')
  }
  for (const table of [...found.keys()]) if (/rate|api_keys/.test(table)) found.delete(table)
  return found
}

describe('a request with what_if', () => {
  test('is answered as the same request without it, with all its checks', async () => {
    const { card_id, account_id, user_id } = await issuer.card(100)
    const { status, body } = await whatIf({ card_id })
    assert.equal(status, 200)
    const { checks, ...decision } = body
    assert.deepEqual(decision, {
      card_id,
      account_id,
      user_id,
      transaction_type: 'PURCHASE',
      status: 'PENDING',
      status_code: '0000',
      status_description: 'Approved',
      amount: 10,
      currency: 'AED',
      max_approved_amount: 100,
    })
    const { body: made } = await authorize({ card_id })
    const { body: trace } = await call('GET', `/v1/transactions/${made.id}/trace`)
    assert.deepEqual(checks, trace.checks)
    assert.equal((await whatIf({ card_id })).body.max_approved_amount, 90)
  })

  test('that is declined shows the checks after the first that declined as well', async () => {
    const { card_id } = await issuer.card(5)
    await call('PUT', `/v1/cards/${card_id}/authsettings`, { max_amount: 3, min_amount: 2 })
    const { body } = await whatIf({ card_id })
    assert.partialDeepStrictEqual(body, { status: 'DECLINED', status_code: '1883' })
    const refused = body.checks.filter(({ verdict }: Shown) => verdict === 'refused')
    assert.deepEqual(
      refused.map(({ check, decisive }: Shown) => [check, decisive]),
      [
        ['amount bounds', true],
        ['funds', false],
      ],
    )
    assert.equal(body.max_approved_amount, 3)
  })

  test('writes nothing: no transaction, event, key or count of wrong tries', async () => {
    const { card_id, account_id } = await issuer.card(100)
    const { body: shown } = await call('GET', `/v1/cards/${card_id}:reveal`)
    const wrong = shown.cvv2 === '000' ? '001' : '000'
    const { body: made } = await authorize({ card_id: (await issuer.card(100)).card_id })
    const state = async () => {
      // Writes the messages of payments that the process still holds.
      await call('GET', `/v1/transactions/${made.id}/messages`)
      return contents()
    }
    const before = await state()
    const bodies = [
      { card_id },
      { card_id, cvv2: wrong },
      { card_id, expiry: '2001-01' },
      { card_id, pin: '1234', entry_mode: 'CHIP' },
      { card_id, transaction_type: 'ORIGINAL_CREDIT' },
      { card_number: '4999991234567890' },
    ]
    const codes: string[] = []
    for (const body of bodies) codes.push((await whatIf(body)).body.status_code)
    assert.deepEqual(codes, ['0000', '1022', '1804', '1017', '0000', '1018'])
    assert.deepEqual(await state(), before)
    assert.deepEqual(await issuer.account(account_id), { balance: 100, held: 0, available: 100 })
  })

  test('stores under an idempotency key its answer, and nothing else', async () => {
    const { card_id } = await issuer.card(100)
    const name = `x-${world.config.operator_name}-idempotency-key`
    const options = { headers: { [name]: randomUUID() } }
    const first = await whatIf({ card_id }, options)
    await authorize({ card_id })
    assert.deepEqual((await whatIf({ card_id }, options)).body, first.body)
    const { body } = await call('GET', `/v1/transactions?card_id=${card_id}`)
    assert.equal(body.data.length, 1)
    // The same key for the request itself is another request.
    assert.equal((await call('POST', PATH, requestOf({ card_id }), options)).status, 409)
  })

  test('what_if=false makes the transaction, and another value is 400', async () => {
    const { card_id } = await issuer.card(100)
    const { body } = await call('POST', `${PATH}?what_if=false`, requestOf({ card_id }))
    assert.equal((await call('GET', `/v1/transactions/${body.id}`)).status, 200)
    assert.equal((await call('POST', `${PATH}?what_if=maybe`, requestOf({ card_id }))).status, 400)
  })

  test('names every fault of its body in one 400', async () => {
    const { status, body } = await whatIf({ card_id: randomUUID(), currency: 'ZZZ' })
    assert.equal(status, 400)
    const paths = body.errors.map(({ path }: { path: string }) => path)
    assert.deepEqual(paths, ['card_id', 'currency'])
  })
})

describe('max_approved_amount', () => {
  const most = async (body: object) => (await whatIf(body)).body.max_approved_amount

  test('is what the next authorization of that amount gets, and one unit more does not', async () => {
    const product = { auth_settings: { min_amount: 2, max_amount: '47.11' } }
    const { card_id } = await issuer.card(100, product)
    for (const amount of [1, 10, 60]) assert.equal(await most({ card_id, amount }), 47.11)
    assert.equal((await authorize({ card_id, amount: 47.12 })).body.status_code, '1829')
    assert.equal((await authorize({ card_id, amount: 47.11 })).body.status_code, '0000')
    assert.equal((await authorize({ card_id, amount: 47.11 })).body.status_code, '0000')
    assert.equal(await most({ card_id }), 5.78)
    assert.equal((await authorize({ card_id, amount: 5.79 })).body.status_code, '1016')
    assert.equal((await authorize({ card_id, amount: 5.78 })).body.status_code, '0000')
    assert.equal(await most({ card_id }), 0)
  })

  test('leaves out partial approval', async () => {
    const { card_id } = await issuer.card(7, { partial_approval: true })
    const { body } = await whatIf({ card_id, partial_approval: true })
    assert.partialDeepStrictEqual(body, { status_code: '0002', amount: 7, max_approved_amount: 7 })
  })

  test('is 0 of a card that may not pay, of a least above the funds, and of no money', async () => {
    const { card_id } = await issuer.card(100)
    assert.equal(await most({ card_id, transaction_type: 'VERIFICATION', amount: 0 }), 0)
    assert.equal(await most({ card_id, transaction_type: 'BALANCE_INQUIRY', amount: 0 }), 0)
    await call('PUT', `/v1/cards/${card_id}/authsettings`, { min_amount: 100.01 })
    assert.equal(await most({ card_id }), 0)
    assert.equal(await most({ card_number: '4999991234567890' }), 0)
    const wrong = { card_id, expiry: '2001-01' }
    assert.equal(await most(wrong), 0)
  })

  test('of a credit is what its limits leave', async () => {
    const { card_id } = await issuer.card(1, { unlinked_credit_max_amount: 25 })
    const credit = { card_id, transaction_type: 'ORIGINAL_CREDIT' }
    assert.equal(await most(credit), 25)
    const { card_id: free } = await issuer.card(1)
    assert.equal(await most({ ...credit, card_id: free }), 9_999_999_999_999.99)
  })
})
