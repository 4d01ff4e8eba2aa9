/** `bezant reconcile` and its route on clearing files: planted differences, by name and amount. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type RawBuilder, sql } from 'kysely'
import { type Tx, transact } from '#kit/context.ts'
import type { FileDifference } from '#src/audit/reconciliation/files/kinds.ts'
import { begin, reconcile } from '#src/audit/reconciliation/reconciliation.ts'
import { openClearer } from '#test/support/clearing/clearer.ts'
import { clearingFile, presentment } from '#test/support/clearing/clearing_file.ts'
import { parseCsv } from '#test/support/csv.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { keeper } from '#test/support/keeper.ts'
import { runScript } from '#test/support/processes/process.ts'
import { openWorld } from '#test/support/world.ts'

const keep = keeper()
const world = keep(await openWorld())
const issuer = await openIssuer(world)
const clearer = openClearer(world)
const card = await issuer.card(100)
const { body: revealed } = await issuer.call('GET', `/v1/cards/${card.card_id}:reveal`)
const pan = String(revealed.card_number)
const unknown = presentment(`${pan.slice(0, 12)}0000`, 2_500n)
const fee = {
  ...{ MTI: '1740', DE3: '190000', DE4: '000000000300', DE24: '700', DE33: '12345678901' },
  ...{ DE49: '784', PDS0137: '00000000000000000001' },
}
const refund = presentment(pan, 400n, { DE3: '200000' })
const { id, file, records } = await clearer.clear(
  await clearingFile([
    ...[presentment(pan, 1_000n), presentment(pan, 700n), refund],
    ...[unknown, { ...unknown, DE31: '' }, { ...unknown, DE31: '' }, fee],
  ]),
)
const [, posted] = records.map((one: { transaction_id?: string }) => one.transaction_id)
for (const [number, action] of [
  [6, 'RETURN'],
  [7, 'WRITE_OFF'],
] as const) {
  const { status, text } = await clearer.resolve(id, number, { action, note: 'settled' })
  assert.equal(status, 200, text)
}
const date = String(file.created).slice(0, 10)
const tenant_id = world.tenant.id

type Found = { files: FileDifference[]; sums: unknown }

async function found(db: Tx['db']): Promise<Found> {
  const progress = await begin(db, { date, own_issuer: true })
  const files: FileDifference[] = []
  for await (const one of reconcile(db, { date, own_issuer: true }, progress)) {
    files.push(...one.files)
  }
  return { files, sums: progress.files }
}

/** The differences after the statements, which are rolled back. */
async function foundAfter(...planted: readonly RawBuilder<unknown>[]): Promise<string[]> {
  let all: Found | undefined
  const rolledBack = transact({ ...(await world.ctx()), db: world.db }, async (tx) => {
    for (const plant of planted) await plant.execute(tx.db)
    all = await found(tx.db)
    throw new Error('rolled back')
  })
  await assert.rejects(rolledBack, /rolled back/)
  return (all?.files ?? []).map(({ kind, detail }) => `${kind}: ${detail}`).sort()
}

const change = (number: number, set: string) =>
  sql`update clearing_records set ${sql.raw(set)} where file_id = ${id} and number = ${number}`

/** The booking of a record once more, as if it was resolved twice. */
const again = (number: number, kind: string) => sql`
  insert into transfers select tenant_id, gen_random_uuid(), kind, debit_account_id,
    credit_account_id, currency, amount, transaction_id, notes, created
  from transfers where notes = ${`clearing ${id}/${number}`} and kind = ${kind}
  order by id desc limit 1`

test('nothing differs, and the parts of a file are together its records', async () => {
  const { files, sums } = await found(world.db)
  assert.deepEqual(files, [])
  const of = (count: number, amount: bigint) => ({ count, amount })
  const parts = {
    ...{ POSTED: of(3, 2_100n), FEES: of(1, 300n), SUSPENSE: of(1, 2_500n) },
    ...{ RESOLVED: of(2, 5_000n), SHOWN: of(0, 0n), WAITING: of(0, 0n) },
  }
  const head = { tenant_id, file_id: id, file: file.file, currency: 'AED' }
  assert.deepEqual(sums, [{ ...head, ...of(7, 9_900n), parts }])
})

describe('a planted difference is found by name and amount', () => {
  const planted: [what: string, plants: RawBuilder<unknown>[], differences: RegExp[]][] = [
    [
      'a record without its posting',
      [
        sql`update transactions set details = jsonb_set(details::jsonb, '{events}', '[]')::json
          where id = ${posted}`,
      ],
      [new RegExp(`^missing_posting: Transaction ${posted} .* 0 times .* 1 records of 10.00 AED`)],
    ],
    [
      'a posting without its record',
      [change(2, `state = 'SHOWN', transaction_id = null`)],
      [new RegExp(`^missing_record: Transaction ${posted} .* 1 times with 10.00 AED.* 0 records`)],
    ],
    [
      'a record that is posted with another amount',
      [change(2, 'amount = amount + 1')],
      [/^other_posting: .* 10.00 AED, and has 1 records of 10.01 AED/],
    ],
    [
      'another amount at the network than was cleared',
      [sql`update transfers set amount = amount + 5 where transaction_id = ${posted}`],
      [/^other_settlement: .* has cleared 10.00 AED, and SETTLEMENT got 10.05 AED/],
    ],
    [
      'a suspense that was resolved twice',
      [again(6, 'SUSPENSE')],
      [
        new RegExp(`^doubled_booking: Record 6 of file ${id} of 25.00 AED .* has 3 bookings`),
        /^other_suspense: SUSPENSE has 0.00 AED, and the records that wait there sum to -25.00/,
      ],
    ],
    [
      'a record that waits in suspense after it was resolved',
      [change(6, `state = 'SUSPENDED', resolution = null, resolved = null`)],
      [
        /^doubled_booking: Record 6 .* of 25.00 AED \(SUSPENDED\) has 2 bookings, and should have 1/,
        /^other_suspense: SUSPENSE has -25.00 AED, .* sum to -50.00 AED/,
      ],
    ],
    [
      'a fee without its booking',
      [sql`delete from transfers where notes = ${`clearing ${id}/8`}`],
      [/^missing_booking: Record 8 .* of 3.00 AED \(BOOKED\) has 0 bookings, and should have 1/],
    ],
    [
      'a booking of another amount',
      [sql`update transfers set amount = amount + 1 where notes = ${`clearing ${id}/8`}`],
      [/^other_booking: Record 8 .* of 3.00 AED \(BOOKED\) has settled 3.01 AED/],
    ],
    [
      'a sum that was changed',
      [sql`update clearing_files set amount = amount + 1 where id = ${id}`],
      [new RegExp(`^other_sum: The trailer of file ${id} has 9 records of 9901, and 9 of 9900`)],
    ],
    [
      'a record that is gone',
      [sql`delete from clearing_records where file_id = ${id} and number = 9`],
      [/^other_sum: .* has 9 records of 9900, and 8 of 9900 are stored/],
    ],
  ]
  for (const [what, plants, differences] of planted) {
    test(what, async () => {
      const all = await foundAfter(...plants)
      assert.equal(all.length, differences.length, all.join('\n'))
      for (const [at, one] of differences.entries()) assert.match(all[at] ?? '', one)
    })
  }
})

describe('the report of a day with a file', () => {
  const path = `/v1/operator/reconciliation?date=${date}`
  const get = (query = '', headers: Record<string, string> = {}) =>
    world.request('GET', `${path}${query}`, undefined, { key: world.operator_key, headers })

  test('of one tenant has its files, and of a tenant without files none', async () => {
    const { body, text } = await get(`&tenant_id=${tenant_id}`)
    assert.equal(body.status, 'AGREES', text)
    const [one] = body.files
    assert.deepEqual(
      [one.clearing_id, one.file, one.records, one.posted, one.suspense],
      [id, file.file, { count: 7, amount: 99 }, { count: 3, amount: 21 }, { count: 1, amount: 25 }],
    )
    const other = await world.otherTenant()
    assert.deepEqual((await get(`&tenant_id=${other.id}`)).body.files, [])
  })

  test('differs where a file does, as JSON, CSV and lines of the command', async () => {
    const plain = await runScript(world.url, 'apps/cli/bezant.mjs', 'reconcile', '--date', date)
    assert.equal(plain.code, 0, plain.errors)
    assert.match(plain.output, /file \d+ {2}tenant .*: 7 records of 99.00 AED: 3 posted of 21.00/)
    await change(2, 'amount = amount + 1').execute(world.db)
    const { body } = await get()
    assert.deepEqual([body.status, body.differences_count], ['DIFFERS', 0])
    assert.equal(body.file_differences_count, 1)
    const [{ detail, ...difference }] = body.file_differences
    assert.match(detail, /10.01 AED/)
    assert.deepEqual(difference, {
      ...{ kind: 'other_posting', tenant_id, clearing_id: id, number: 2 },
      transaction_id: posted,
    })
    const lines = parseCsv((await get('', { accept: 'text/csv' })).text)
    const kinds = lines.map(([record, kind]) => `${record} ${kind}`)
    assert.ok(kinds.includes('FILE_DIFFERENCE other_posting'), kinds.join())
    const failed = await runScript(world.url, 'apps/cli/bezant.mjs', 'reconcile', '--date', date)
    assert.equal(failed.code, 1)
    assert.match(failed.output, /^other_posting {2}tenant .* 10.01 AED/m)
  })
})
