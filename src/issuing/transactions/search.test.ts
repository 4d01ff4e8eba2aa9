/** The filters of the list of transactions that no index serves, and those that one does. */

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { openIssuer } from '#test/support/issuer.ts'
import { keeper } from '#test/support/keeper.ts'
import { openWorld } from '#test/support/world.ts'

const keep = keeper()
const world = keep(await openWorld())
const { call, card } = await openIssuer(world)

const DAY_MS = 86_400_000
const daysAgo = (days: number, now: string) =>
  new Date(new Date(now).getTime() - days * DAY_MS).toISOString()

describe('GET /transactions', () => {
  let card_id: string
  let now: string
  const ids: Record<string, string> = {}
  before(async () => {
    card_id = (await card(100)).card_id
    // The ids of the following objects are of an earlier time than the tenant's.
    await call('PUT', '/v1/simulate/clock', { advance: 'P40D' })
    const pay = async (name: string, more: object) => {
      const body = { card_id, amount: 7, currency: 'AED', ...more }
      ids[name] = (await call('POST', '/v1/simulate/authorizations', body)).body.id
    }
    await pay('seven', {})
    await pay('declined', { amount: 700 })
    await pay('withdrawn', { transaction_type: 'WITHDRAWAL', amount: 10 })
    await pay('yen', { currency: 'JPY', amount: 7 })
    now = (await call('GET', '/v1/simulate/clock')).body.now
  })
  const namesOf = async (query: Record<string, string>) => {
    const text = new URLSearchParams(query)
    const { status, body, text: answer } = await call('GET', `/v1/transactions?${text}`)
    assert.equal(status, 200, answer)
    const found = body.data.map(({ id }: { id: string }) => id)
    return Object.keys(ids).filter((name) => found.includes(ids[name]))
  }

  test('200 of an amount in any currency or one, a code and a type', async () => {
    const rows: [Record<string, string>, string[]][] = [
      [{ amount: '7' }, ['seven', 'yen']],
      [{ amount: '7.00', currency: 'AED' }, ['seven']],
      [{ amount: '0.07' }, []],
      [{ currency: 'JPY' }, ['yen']],
      [{ status_code: '1016' }, ['declined']],
      [{ transaction_type: 'WITHDRAWAL' }, ['withdrawn']],
      [{ transaction_type: 'PURCHASE', amount: '700' }, ['declined']],
    ]
    for (const [query, expected] of rows) {
      const period = { from: daysAgo(1, now) }
      assert.deepEqual(await namesOf({ ...query, ...period }), expected, JSON.stringify(query))
      assert.deepEqual(await namesOf({ ...query, card_id }), expected)
      const before = { from: daysAgo(9, now), to: daysAgo(8, now) }
      assert.deepEqual(await namesOf({ ...query, ...before }), [])
    }
  })

  test('200 of a retrieval reference', async () => {
    assert.deepEqual(await namesOf({ rrn: '616310000123' }), [])
    await world.db
      .updateTable('transactions')
      .set({ rrn: '616310000123' })
      .where('tenant_id', '=', world.tenant.id)
      .where('id', '=', ids['seven'] ?? '')
      .execute()
    assert.deepEqual(await namesOf({ rrn: '616310000123' }), ['seven'])
    assert.deepEqual(await namesOf({ rrn: '616310000123', card_id }), ['seven'])
    assert.deepEqual(await namesOf({ rrn: '616310000123', status_code: '1016' }), [])
  })

  test('200 of those that refer to a transaction, page by page, and none of another card', async () => {
    const { card_id: other } = await card(100)
    const path = '/v1/simulate/authorizations'
    const sale = { card_id: other, amount: 30, currency: 'AED' }
    const { id } = (await call('POST', path, sale)).body
    await call('POST', `${path}/${id}:clear`)
    const back = async (body: object) =>
      (await call('POST', '/v1/simulate/refunds', { amount: 10, currency: 'AED', ...body })).body.id
    const refunds = [await back({ transaction_id: id }), await back({ transaction_id: id })]
    const large = (await call('POST', '/v1/simulate/refunds', { ...sale, transaction_id: id })).body
    assert.equal(large.status_code, '1854')
    await back({ card_id: other })
    const found = async (more: string) => {
      const { status, body, text } = await call('GET', `/v1/transactions?${more}`)
      assert.equal(status, 200, text)
      return { ids: body.data.map((one: { id: string }) => one.id), after: body.after }
    }
    const own = `reference_transaction_id=${id}`
    assert.deepEqual((await found(own)).ids, [large.id, ...refunds.toReversed()])
    const first = await found(`${own}&transaction_type=REFUND&status=SETTLED&limit=1`)
    assert.deepEqual(first.ids, [refunds[1]])
    const rest = await found(
      `${own}&transaction_type=REFUND&status=SETTLED&limit=1&after=${first.after}`,
    )
    assert.deepEqual(rest.ids, [refunds[0]])
    assert.deepEqual((await found(`${own}&card_id=${other}`)).ids.length, 3)
    for (const nothing of [`${own}&card_id=${card_id}`, `reference_transaction_id=${large.id}`]) {
      assert.deepEqual((await found(nothing)).ids, [], nothing)
    }
    const unknown = `reference_transaction_id=${card_id}`
    assert.deepEqual((await found(unknown)).ids, [])
  })

  test('400 for one without a bounded period, and for an amount of no currency', async () => {
    const from = daysAgo(32, now)
    for (const query of [
      'amount=7',
      'status_code=1016',
      'transaction_type=PURCHASE',
      'currency=AED',
      `amount=7&from=${from}`,
      `amount=7&to=${now}`,
      `amount=7&from=${daysAgo(90, now)}&to=${daysAgo(50, now)}`,
      `amount=7.123456&card_id=${card_id}`,
      `amount=1.5&currency=JPY&card_id=${card_id}`,
      `amount=1.5&currency=XXX&card_id=${card_id}`,
      'status_code=12',
      'transaction_type=GIFT',
      'rrn=',
      'reference_transaction_id=1',
    ]) {
      assert.equal((await call('GET', `/v1/transactions?${query}`)).status, 400, query)
    }
  })
})

describe('GET /transactions/{id}/entries', () => {
  type Entry = { account_kind: string; side: string; amount: number; kind: string }
  const entriesOf = async (id: string): Promise<Entry[]> =>
    (await call('GET', `/v1/transactions/${id}/entries`)).body.data

  test('200 lists both sides of each movement, and nothing for a hold', async () => {
    const { card_id, account_id } = await card(100)
    const body = { card_id, amount: 40, currency: 'AED' }
    const { id } = (await call('POST', '/v1/simulate/authorizations', body)).body
    assert.deepEqual(await entriesOf(id), [])
    for (const amount of [15, 25]) {
      await call('POST', `/v1/simulate/authorizations/${id}:clear`, { amount })
    }
    const entries = await entriesOf(id)
    assert.deepEqual(
      entries.map(({ account_kind, side, amount, kind }) => [kind, account_kind, side, amount]),
      [
        ['CLEARING', 'CARD', 'DEBIT', 15],
        ['CLEARING', 'SETTLEMENT', 'CREDIT', 15],
        ['CLEARING', 'CARD', 'DEBIT', 25],
        ['CLEARING', 'SETTLEMENT', 'CREDIT', 25],
      ],
    )
    assert.partialDeepStrictEqual(entries[0], { account_id, currency: 'AED' })
  })
})
