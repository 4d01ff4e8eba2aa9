/** `bezant settlement`: the file of a day, whole and the same each time. */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { addDays, formatDate } from '#lib/time.ts'
import { importSettlement } from '#src/audit/settlement/import.ts'
import { settlementOf } from '#src/audit/settlement/settlement.ts'
import { parseCsv } from '#test/support/csv.ts'
import { launch, runScript } from '#test/support/processes/process.ts'
import { moveClockToNoon } from '#test/support/time/moved_clock.ts'
import { openShop } from '../e2e/shop.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())
const folder = mkdtempSync(join(tmpdir(), 'settlement-'))
after(() => rmSync(folder, { recursive: true }))
const date = await moveClockToNoon(shop, shop.tenant)
await shop.signIn()
const next = formatDate(addDays(new Date(date), 1))
const card = await shop.customer(10_000_000n)
const { reference } = await shop.order(card)
await shop.call('POST', `/orders/${reference}/capture/`, { total: '60' })
await shop.call('POST', `/orders/${reference}/refund/`, { total: '40.25', currency: 'AED' })
await shop.order(card)

async function linesOf(day: string): Promise<Record<string, string>[]> {
  let text = ''
  for await (const part of settlementOf(shop.db, day)) text += part
  const [head = [], ...lines] = parseCsv(text)
  return lines.map((line) => Object.fromEntries(head.map((name, at) => [name, line[at] ?? ''])))
}

const recordsOf = async (day: string) =>
  (await linesOf(day))
    .filter(({ record }) => record === 'RECORD')
    .map(({ type, amount, currency }) => [type, amount, currency])

const CAPTURE = ['CAPTURE', '60.00', 'AED']
const REFUND = ['REFUND', '40.25', 'AED']

test('a file has the captures and refunds of its day, and of no other', async () => {
  assert.deepEqual(await recordsOf(date), [CAPTURE, REFUND])
  assert.deepEqual(await recordsOf(next), [])
})

test('its references are those of the issuer’s transactions', async () => {
  const [, , refund] = await linesOf(date)
  const { body } = await shop.request('GET', `/v1/transactions?rrn=${refund?.['rrn']}`)
  const found = body.data.find((one: { stan: string }) => one.stan === refund?.['stan'])
  assert.deepEqual([found.transaction_type, found.amount], ['REFUND', 40.25])
  assert.equal(refund?.['card_acceptor_id'], found.merchant.id)
  const purchase = body.data.find((one: { id: string }) => one.id !== found.id)
  assert.equal(refund?.['approval_code'], purchase.approval_code)
})

test('what was answered after midnight is in the file of the next day alone', async (t) => {
  const moveBy = (days: number) =>
    sql`
      update acquirer_messages
      set modified = (modified at time zone 'UTC' + ${days} * interval '1 day') at time zone 'UTC'
      where tenant_id = ${shop.tenant.id} and mti = '0220'`.execute(shop.db)
  await moveBy(1)
  t.after(() => moveBy(-1))
  assert.deepEqual([await recordsOf(date), await recordsOf(next)], [[REFUND], [CAPTURE]])
})

test('what is not approved is in no file', async (t) => {
  const as = (status: string) =>
    sql`update acquirer_messages set status = ${status}
      where tenant_id = ${shop.tenant.id} and mti = '0200'`.execute(shop.db)
  await as('REVERSED')
  t.after(() => as('APPROVED'))
  assert.deepEqual(await recordsOf(date), [CAPTURE])
})

test('what disputes took and gave back is in it with its fees, as statement and payout have it', async () => {
  await using books = await openShop({
    settings: { fees: [{ currency: 'AED', percent: 0, fixed: 0, chargeback_fee: 15 }] },
  })
  const day = await moveClockToNoon(books, books.tenant)
  await books.signIn()
  const payer = await books.customer(10_000_000n)
  const capture = async (total: string) => {
    const { reference } = await books.order(payer, { total })
    await books.call('POST', `/orders/${reference}/capture/`, { total })
    return String(reference)
  }
  const charge = async (total: string, step?: string) => {
    const reference = await capture(total)
    const of = { merchant_id: books.merchant.id, reference, reason: 'FRAUD' }
    const key = books.operator_key
    const made = await books.request('POST', '/v1/operator/chargebacks', of, { key })
    assert.equal(made.status, 200, made.text)
    const path = `/v1/operator/chargebacks/${made.body.dispute_id}:record`
    if (step) await books.request('POST', path, { step }, { key })
  }
  await capture('100.00')
  await charge('60.00')
  await charge('40.25', 'WIN')
  await charge('7.00', 'LOSE')
  let text = ''
  for await (const part of settlementOf(books.db, day)) text += part
  const [head = [], ...cells] = parseCsv(text)
  const lines = cells.map((line) => Object.fromEntries(head.map((name, at) => [name, line[at]])))
  const sums: Record<string, string[]> = Object.fromEntries(
    lines
      .filter(({ record }) => record === 'SUM')
      .map(({ type, count, amount }) => [type, [count, amount]]),
  )
  const total = (type: string) => Number(sums[type]?.[1] ?? 0)
  const netOfFile =
    total('CAPTURE') - total('CHARGEBACK') + total('CHARGEBACK_REVERSAL') - total('CHARGEBACK_FEE')
  assert.deepEqual(sums, {
    CAPTURE: ['4', '207.25'],
    CHARGEBACK: ['3', '107.25'],
    CHARGEBACK_FEE: ['3', '45.00'],
    CHARGEBACK_REVERSAL: ['1', '40.25'],
  })
  const [, captured] = lines.filter(({ type }) => type === 'CAPTURE')
  const [charged] = lines.filter(({ type }) => type === 'CHARGEBACK')
  assert.equal(charged?.['rrn'], captured?.['rrn'])
  const { body } = await books.call('GET', `/statement/?from=${day}&to=${day}`)
  const net = (name: string) => Number(body.data[0][name])
  assert.deepEqual([net('captured'), net('charged_back'), net('fees')], [207.25, 67, 45])
  assert.equal(netOfFile, net('net'))
  const later = formatDate(addDays(new Date(day), 2))
  await books.request('PUT', '/v1/simulate/clock', { now: `${later}T00:00:00Z` })
  await books.signIn()
  await books.sweeper.runDueJobs(books.tenant.id)
  const { body: payouts } = await books.call('GET', '/payouts/')
  assert.deepEqual(
    payouts.data.map(({ amount }: { amount: string }) => Number(amount)),
    [netOfFile],
  )
  const source = async function* () {
    yield Buffer.from(text)
  }
  const { row } = await importSettlement(books.db, source, () => {})
  assert.deepEqual([row.records, row.counts], [11, {}])
})

const MASTER_KEY = randomBytes(32).toString('hex')
const settlement = (...args: string[]) =>
  runScript(shop.url, 'apps/cli/bezant.mjs', 'settlement', ...args)

test('of a day that is not over for five minutes there is a file in a sandbox only', async () => {
  const path = join(folder, 'early.csv')
  const refused = async (day: string) => {
    const words = ['apps/cli/bezant.mjs', 'settlement', 'export', '--date', day, path]
    const live = launch({ DATABASE_URL: shop.url, MODE: 'live', MASTER_KEY }, words)
    assert.deepEqual([await live.ended, readdirSync(folder)], [2, []])
    assert.match(live.errors().join(), new RegExp(`${day} has to be over for five minutes`))
  }
  await refused(date)
  await refused(next)
  await shop.request('PUT', '/v1/simulate/clock', { now: `${next}T00:04:00Z` })
  await refused(date)
  const { code, errors } = await settlement('export', '--date', date, path)
  assert.deepEqual([code, readdirSync(folder)], [0, ['early.csv']])
  assert.match(errors, new RegExp(`not final: ${date} has to be over for five minutes`))
  rmSync(path)
})

test('the command writes the same bytes each time, and replaces no file', async () => {
  await shop.request('PUT', '/v1/simulate/clock', { now: `${next}T00:05:00Z` })
  const [first, second] = [join(folder, 'first.csv'), join(folder, 'second.csv')]
  for (const path of [first, second]) {
    const { code, errors } = await settlement('export', '--date', date, path)
    assert.equal(code, 0, errors)
  }
  const text = readFileSync(first, 'utf8')
  assert.equal(text, readFileSync(second, 'utf8'))
  assert.ok(!text.includes(card.card_number))
  assert.equal(parseCsv(text).length, 7)
  const again = await settlement('export', '--date', date, first)
  assert.equal(again.code, 2)
  assert.match(again.errors, /first\.csv exists/)
  assert.deepEqual(readdirSync(folder), ['first.csv', 'second.csv'])
})

test('the command ends with 2 where its words are wrong', async () => {
  for (const [args, sentence] of [
    [[], /^Usage: bezant settlement/],
    [['export', 'x.csv'], /required option '--date <date>' not specified/],
    [['export', '--date', '2026-02-30', 'x.csv'], /^bezant: --date is no day: use YYYY-MM-DD/],
  ] as const) {
    const { code, errors } = await settlement(...args)
    assert.equal(code, 2)
    assert.match(errors, sentence)
  }
})
