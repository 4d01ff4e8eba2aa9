import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { newId } from '#lib/id.ts'
import { openShop } from '#test/e2e/shop.ts'
import { moveClockToNoon } from '#test/support/time/moved_clock.ts'
import { importSettlement } from './import.ts'
import { settlementOf } from './settlement.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())
const date = await moveClockToNoon(shop, shop.tenant)
await shop.signIn()
const { reference } = await shop.order(await shop.customer(10_000_000n))
await shop.call('POST', `/orders/${reference}/capture/`)

const PATH = '/v1/operator/settlements'
const get = (path = '', options: object = {}) =>
  shop.request('GET', `${PATH}${path}`, undefined, { key: shop.operator_key, ...options })

async function* changed(): AsyncGenerator<Buffer> {
  for await (const part of settlementOf(shop.db, date)) {
    yield Buffer.from(part.replaceAll('100.50', '100.00'))
  }
}
const { row } = await importSettlement(shop.db, changed, () => {})
const summary = {
  id: row.id,
  file: `60400000001-${date.replaceAll('-', '')}`,
  acquirer_id: '60400000001',
  date,
  sha256: row.digest.toString('hex'),
  records: 1,
  status: 'DIFFERS',
  sums: [{ type: 'CAPTURE', currency: 'AED', count: 1, amount: 100 }],
  findings_count: 1,
  findings_by_kind: [{ kind: 'other_amount', count: 1 }],
  over_midnight: 0,
  created: row.created.toISOString(),
}

describe(`GET ${PATH}`, () => {
  test('200 has the files, newest first, in pages', async () => {
    const { status, body } = await get('?limit=1')
    assert.equal(status, 200)
    assert.deepEqual([body.data, body.has_more], [[summary], false])
  })

  test('400 where the query is wrong', async () => {
    const { status, body } = await get('?limit=0')
    assert.deepEqual([status, body.code], [400, 'validation_failed'])
  })

  test('401 without a key, and 403 for the key of a tenant', async () => {
    assert.equal((await get('', { key: null })).status, 401)
    assert.equal((await get('', { key: shop.tenant.api_key })).status, 403)
  })
})

describe(`GET ${PATH}/{id}`, () => {
  test('200 has the findings', async () => {
    const { status, body } = await get(`/${row.id}`)
    assert.equal(status, 200)
    const { findings, ...rest } = body
    assert.deepEqual(rest, summary)
    const [{ rrn, record, issuer, detail, ...finding }] = findings
    assert.deepEqual(finding, { kind: 'other_amount', type: 'CAPTURE' })
    assert.match(rrn, /^[0-9A-Z]{12}$/)
    assert.deepEqual([record.number, record.amount, record.currency], [1, 100, 'AED'])
    assert.deepEqual(
      [issuer.amount, issuer.currency, issuer.tenant_id],
      [100.5, 'AED', shop.tenant.id],
    )
    assert.match(
      detail,
      /^The capture of 100\.00 AED is in the file, and the issuer posted 100\.50/,
    )
  })

  test('404 where there is none, and 403 for the key of a tenant', async () => {
    assert.equal((await get(`/${newId()}`)).status, 404)
    assert.equal((await get(`/${row.id}`, { key: shop.tenant.api_key })).status, 403)
  })
})
