/** `bezant reconcile`: its exit codes, and the report as text, JSON and CSV. */

import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { parseCsv } from '#test/support/csv.ts'
import { runScript } from '#test/support/processes/process.ts'
import { moveClockToNoon } from '#test/support/time/moved_clock.ts'
import { openShop } from '../e2e/shop.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())
const folder = mkdtempSync(join(tmpdir(), 'reconcile-'))
after(() => rmSync(folder, { recursive: true }))
const date = await moveClockToNoon(shop, shop.tenant)
await shop.signIn()
const { reference, order_id } = await shop.order(await shop.customer(10_000_000n))
await shop.call('POST', `/orders/${reference}/capture/`)

const reconcile = (...args: string[]) =>
  runScript(shop.url, 'apps/cli/bezant.mjs', 'reconcile', ...args)

test('it ends with 0 and the sums where nothing differs', async () => {
  const { code, output, errors } = await reconcile('--date', date)
  assert.equal(code, 0, errors)
  const line = (book: string) =>
    `${book}: 1 payments of 100.50 AED, 1 captures of 100.50 AED, 0 refunds of 0.00 AED`
  assert.equal(
    output,
    [
      'payments compared: 1',
      line('orders'),
      line('acquirer'),
      line('issuer'),
      'open: 0',
      'nothing differs',
      '',
    ].join('\n'),
  )
})

test('it ends with 1 where something differs, which JSON and CSV have too', async () => {
  await sql`update acquirer_messages set fields = fields || '{"4": "000000010051"}'
    where tenant_id = ${shop.tenant.id} and mti = '0220'`.execute(shop.db)
  const plain = await reconcile('--date', date, '--tenant', shop.tenant.id)
  assert.equal(plain.code, 1, plain.errors)
  assert.match(
    plain.output,
    new RegExp(`^other_amount {2}tenant ${shop.tenant.id} {2}order ${reference} .*100\\.51 AED`),
  )
  const json = await reconcile('--date', date, '--json')
  const { found, status, differences_count, books } = JSON.parse(json.output)
  assert.deepEqual([json.code, status, differences_count, books.length], [1, 'DIFFERS', 1, 3])
  assert.deepEqual([found[0].kind, found[0].order_id], ['other_amount', order_id])
  const file = join(folder, 'day.csv')
  assert.equal((await reconcile('--date', date, '--csv', file)).code, 1)
  const [, [record, kind] = []] = parseCsv(readFileSync(file, 'utf8'))
  assert.deepEqual([record, kind], ['DIFFERENCE', 'other_amount'])
  const again = await reconcile('--date', date, '--csv', file)
  assert.equal(again.code, 2)
  assert.match(again.errors, /the books cannot be compared: .*EEXIST/)
})

test('it ends with 2 and the reason where it cannot run', async () => {
  const reasons: [args: string[], reason: RegExp][] = [
    [[], /required option '--date <date>' not specified/],
    [['--date', '2026-02-30'], /--date is no day: use YYYY-MM-DD/],
    [['--date', date, '--day'], /unknown option '--day'/],
    [['--date', date, '--tenant', 'x'], /--tenant is no id/],
    [['--date', date, '--tenant', order_id], /tenant_id is no tenant/],
  ]
  for (const [args, reason] of reasons) {
    const { code, errors } = await reconcile(...args)
    assert.equal(code, 2)
    assert.match(errors, reason)
  }
})
