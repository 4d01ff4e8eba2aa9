import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { transact } from '#kit/context.ts'
import { newId } from '#lib/id.ts'
import { openShop } from '#test/e2e/shop.ts'
import { parseCsv } from '#test/support/csv.ts'
import { until } from '#test/support/services/receiver.ts'
import { moveClockToNoon } from '#test/support/time/moved_clock.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())
const date = await moveClockToNoon(shop, shop.tenant)
await shop.signIn()

const { reference, order_id } = await shop.order(await shop.customer(10_000_000n))
await shop.call('POST', `/orders/${reference}/capture/`)
await shop.call('POST', `/orders/${reference}/refund/`, { total: '40.25', currency: 'AED' })

const ctx = await shop.ctx()

const PATH = '/v1/operator/reconciliation'
const get = (query: Record<string, string>, options: object = {}) =>
  shop.request('GET', `${PATH}?${new URLSearchParams(query)}`, undefined, {
    key: shop.operator_key,
    ...options,
  })
const sums = {
  currency: 'AED',
  authorizations: { count: 1, amount: 100.5 },
  captures: { count: 1, amount: 100.5 },
  refunds: { count: 1, amount: 40.25 },
}

describe(`GET ${PATH}`, () => {
  test('200 has the books of a day that agree, of all and of each merchant', async () => {
    const { status, body, text } = await get({ date })
    assert.equal(status, 200, text)
    const { as_of, from, to, ...rest } = body
    assert.deepEqual(
      [from, to],
      [`${date}T00:00:00.000Z`, new Date(Date.parse(from) + 864e5).toISOString()],
    )
    assert.ok(Date.parse(as_of) > 0)
    const books = ['ORDERS', 'ACQUIRER', 'ISSUER'].map((book) => ({ book, ...sums }))
    const { id: merchant_id } = shop.merchant
    const merchant = { merchant_id, merchant_name: 'Date Palm Books', tenant_id: shop.tenant.id }
    assert.deepEqual(rest, {
      date,
      status: 'AGREES',
      issuer: 'OWN',
      payments: 1,
      books,
      merchants: [{ ...merchant, books }],
      files: [],
      differences_count: 0,
      differences: [],
      open_count: 0,
      open: [],
      file_differences_count: 0,
      file_differences: [],
    })
  })

  test('200 has nothing of a day without entries', async () => {
    const { body } = await get({ date: '2020-01-01' })
    assert.deepEqual([body.status, body.payments, body.books], ['AGREES', 0, []])
  })

  test('200 has both books where payments go to another issuer', async () => {
    const { config } = shop
    shop.bind({ ...config, issuer_address: { host: 'issuer.example', port: 8583 } })
    const { body } = await get({ date })
    shop.bind(config)
    shop.connectTo(shop.issuer_port)
    assert.deepEqual([body.issuer, body.status], ['ELSEWHERE', 'AGREES'])
  })

  test('400 names a date that is none, an unknown tenant and an unknown merchant', async () => {
    const wrong: Record<string, string>[] = [
      {},
      { date: '2026-02-30' },
      { date, tenant_id: newId() },
      { date, merchant_id: newId() },
      { date, tenant_id: (await shop.otherTenant()).id, merchant_id: shop.merchant.id },
    ]
    const paths: string[] = []
    for (const query of wrong) {
      const { status, body } = await get(query)
      assert.deepEqual([status, body.code], [400, 'validation_failed'])
      paths.push(body.errors[0].path)
    }
    assert.deepEqual(paths, ['date', 'date', 'tenant_id', 'merchant_id', 'merchant_id'])
  })

  test('401 without a key, and 403 for the key of a tenant', async () => {
    assert.equal((await get({ date }, { key: null })).status, 401)
    assert.equal((await get({ date }, { key: shop.tenant.api_key })).status, 403)
  })

  test('409 while as many are running as may be', async () => {
    const waiting: Promise<{ status: number }>[] = []
    await transact({ ...(await shop.ctx()), db: shop.db }, async ({ db }) => {
      await sql`lock table acquirer_messages in access exclusive mode`.execute(db)
      waiting.push(get({ date }), get({ date }))
      await until('two wait for the table', async () => {
        const { rows } = await sql<{ count: number }>`
          select count(*)::int as count from pg_locks
          where not granted and relation = 'acquirer_messages'::regclass
            and database = (select oid from pg_database where datname = current_database())
        `.execute(db)
        return rows[0]?.count === 2
      })
      const { status, body, headers } = await get({ date })
      assert.deepEqual([status, body.code], [409, 'reconciliations_running'])
      assert.equal(headers['retry-after'], '5')
    })
    const ended = await Promise.all(waiting)
    assert.deepEqual(
      ended.map(({ status }) => status),
      [200, 200],
    )
    assert.equal((await get({ date })).status, 200)
  })
})

describe('with a difference and an open entry', () => {
  const csv = { headers: { accept: 'text/csv' } }
  const plant = (amount: string, status: string) =>
    transact({ ...ctx, db: shop.db }, async ({ db }) => {
      await sql`update acquirer_messages
        set fields = fields || jsonb_build_object('4', ${amount}::text)
        where tenant_id = ${shop.tenant.id} and mti = '0200'`.execute(db)
      await sql`update acquirer_messages set status = ${status}
        where tenant_id = ${shop.tenant.id} and mti = '0220'`.execute(db)
    })

  test('the JSON has what each side has, and a sentence', async (t) => {
    await plant('000000004026', 'PENDING')
    t.after(() => plant('000000004025', 'APPROVED'))
    const { body } = await get({ date })
    assert.deepEqual([body.status, body.differences_count, body.open_count], ['DIFFERS', 1, 1])
    const [{ orders, acquirer, issuer, rrn, ...difference }] = body.differences
    assert.deepEqual(difference, {
      kind: 'other_amount',
      entry: 'REFUND',
      tenant_id: shop.tenant.id,
      merchant_id: shop.merchant.id,
      order_id,
      order_reference: reference,
      detail:
        'The refund is 40.25 AED in the orders, and 40.26 AED in the messages of the acquirer.',
    })
    assert.match(rrn, /^[0-9A-Z]{12}$/)
    assert.deepEqual([orders.amount, acquirer.amount, issuer.amount], [40.25, 40.26, 40.25])
    assert.deepEqual([body.open[0].reason, body.open[0].entry], ['unanswered', 'CAPTURE'])
  })

  test('the CSV has a line for each, and the sums of the merchant', async (t) => {
    await plant('000000004026', 'PENDING')
    t.after(() => plant('000000004025', 'APPROVED'))
    const answer = await get({ date }, csv)
    assert.equal(
      answer.headers['content-disposition'],
      `attachment; filename="reconciliation-${date}.csv"`,
    )
    const [head = [], ...lines] = parseCsv(answer.text)
    const cells = (name: string) => lines.map((line) => line[head.indexOf(name)])
    assert.deepEqual(cells('record').slice(0, 3), ['DIFFERENCE', 'OPEN', 'SUM'])
    assert.deepEqual(cells('kind').slice(0, 2), ['other_amount', 'unanswered'])
    assert.deepEqual(cells('acquirer_amount')[0], '40.26')
    assert.equal(lines.length, 2 + 3 * 3)
    assert.deepEqual(new Set(lines.map((line) => line.length)), new Set([head.length]))
    const sumsOf = lines.filter((line) => line[head.indexOf('record')] === 'SUM')
    const shown = ['book', 'entry', 'count', 'amount', 'currency'].map((name) => head.indexOf(name))
    assert.deepEqual(
      sumsOf.slice(6).map((line) => shown.map((at) => line[at])),
      [
        ['ISSUER', 'AUTHORIZATION', '1', '100.50', 'AED'],
        ['ISSUER', 'CAPTURE', '1', '100.50', 'AED'],
        ['ISSUER', 'REFUND', '1', '40.25', 'AED'],
      ],
    )
  })
})
