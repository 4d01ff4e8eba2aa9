/** `bezant settlement import`: the acquirer's file at the issuer, in a process of its own. */

import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { settlementOf } from '#src/audit/settlement/settlement.ts'
import { runScript } from '#test/support/processes/process.ts'
import { moveClockToNoon } from '#test/support/time/moved_clock.ts'
import { openShop } from '../e2e/shop.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())
const folder = mkdtempSync(join(tmpdir(), 'settlement-'))
after(() => rmSync(folder, { recursive: true }))
const date = await moveClockToNoon(shop, shop.tenant)
await shop.signIn()
const card = await shop.customer(10_000_000n)
const rates = [{ from: 'JPY', to: 'AED', rate: '0.025' }]
await shop.request('PUT', '/v1/operator/rates', { rates }, { key: shop.operator_key })
for (const currency of ['AED', 'AED', 'JPY']) {
  const total = currency === 'JPY' ? '1000' : '100.50'
  const { reference } = await shop.order(card, { total, currency })
  await shop.call('POST', `/orders/${reference}/capture/`)
  await shop.call('POST', `/orders/${reference}/refund/`, { total: '40', currency })
}

async function exported(): Promise<string> {
  let text = ''
  for await (const part of settlementOf(shop.db, date)) text += part
  return text
}

const path = join(folder, 'file.csv')
const run = (...args: string[]) => runScript(shop.url, 'apps/cli/bezant.mjs', 'settlement', ...args)

const imported = (text: string | Buffer) => {
  writeFileSync(path, text)
  return run('import', path)
}
const files = async () =>
  (await shop.db.selectFrom('settlement_files').selectAll().execute()).map(
    ({ file, records, counts }) => ({ file, records, counts }),
  )

beforeEach(() => sql`delete from settlement_files`.execute(shop.db))

test('a file of the day agrees with the book, and a second import changes nothing', async () => {
  const text = await exported()
  const first = await imported(text)
  assert.equal(first.code, 0, first.errors)
  const file = `60400000001-${date.replaceAll('-', '')}`
  assert.match(first.output, new RegExp(`^${file}: 6 records, .*nothing differs\\n$`, 's'))
  assert.deepEqual(await files(), [{ file, records: 6, counts: {} }])
  const second = await imported(text)
  assert.equal(second.code, 0, second.errors)
  assert.match(second.output, /^it was imported at .*; nothing changed\n/)
  assert.equal((await files()).length, 1)
  const money = await shop.account(card)
  assert.equal(money.held, 0n)
})

test('imports at one time record the file once', async () => {
  writeFileSync(path, await exported())
  const ended = await Promise.all([1, 2, 3].map(() => run('import', path)))
  assert.deepEqual(
    ended.map(({ code }) => code),
    [0, 0, 0],
  )
  assert.equal((await files()).length, 1)
})

test('other bytes under a known name are refused', async () => {
  const text = await exported()
  await imported(text)
  const before = await files()
  const { code, errors } = await imported(text.replace(/(,\d{10}),[0-9A-Z]{6},/, '$1,ZZZZZZ,'))
  assert.equal(code, 2)
  assert.match(errors, /with other bytes .* was imported at .*: ask the acquirer which one counts/)
  assert.deepEqual(await files(), before)
})

test('each difference is a line, and the exit code is 1', async (t) => {
  const own = sql`tenant_id = ${shop.tenant.id}`
  await sql`update acquirer_messages set
    fields = fields || '{"4": "000000004100"}'
    where ${own} and mti = '0200' and fields ->> '49' = '784' and id = (
      select min(id::text)::uuid from acquirer_messages where ${own} and mti = '0200')`.execute(
    shop.db,
  )
  t.after(() =>
    sql`update acquirer_messages set fields = fields || '{"4": "000000004000"}'
      where ${own} and fields ->> '4' = '000000004100'`.execute(shop.db),
  )
  await sql`update acquirer_messages set status = 'PENDING'
    where ${own} and mti = '0220' and fields ->> '49' = '392'`.execute(shop.db)
  t.after(() =>
    sql`update acquirer_messages set status = 'APPROVED'
      where ${own} and mti = '0220'`.execute(shop.db),
  )
  const { code, output } = await imported(await exported())
  assert.equal(code, 1)
  const kinds = output.split('\n').map((line) => line.split('  ')[0])
  assert.deepEqual(kinds.slice(0, 2), ['other_amount', 'not_in_file'])
  assert.match(output, /The refund of 41\.00 AED is in the file, and the issuer posted 40\.00 AED/)
  assert.match(output, /The issuer posted a capture of 1000 JPY, which the file lacks\./)
  assert.match(output, /\nfindings: 2\n$/)
  assert.deepEqual(
    (await files()).map(({ counts }) => counts),
    [{ other_amount: 1, not_in_file: 1 }],
  )
  const again = await imported(readFileSync(path))
  assert.equal(again.code, 1)
})

test('a file that is not whole is refused, and nothing is recorded', async () => {
  const text = await exported()
  const { code, errors } = await imported(text.slice(0, -1))
  assert.equal(code, 2)
  assert.match(errors, /^the settlement file is not imported: line \d+ does not end with CR LF/)
  assert.deepEqual(await files(), [])
})

test('the command ends with 2 where its words are wrong or there is no file', async () => {
  const wrong: [string[], RegExp][] = [
    [['import'], /missing required argument 'file'/],
    [['import', '--date', date, path], /unknown option '--date'/],
    [['import', folder], /is no file/],
    [['import', join(folder, 'none.csv')], /none\.csv is no file/],
  ]
  for (const [args, sentence] of wrong) {
    const { code, errors } = await run(...args)
    assert.equal(code, 2)
    assert.match(errors, sentence)
  }
})
