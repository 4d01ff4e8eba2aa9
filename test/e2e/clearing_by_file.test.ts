/**
 * An acquirer that clears by file (D-1047): captures and refunds are collected, leave in one file
 * each, and this program as their issuer posts them by itself.
 */

import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { objectOf } from '#clearing/json.ts'
import { FileCheck } from '#issuing/clearings/rules/file_check.ts'
import { transact } from '#kit/context.ts'
import { formatDate } from '#lib/time.ts'
import { auditAcquirer, bytesOf, findWrittenFile, writeFile } from '#merchant/acquirer/acquirer.ts'
import { auditAll } from '#src/audit/audits.ts'
import { begin, reconcile } from '#src/audit/reconciliation/reconciliation.ts'
import { compareSides } from '#src/audit/sides.ts'
import { joined, readAll } from '#test/support/clearing/files.ts'
import { assertSound } from '#test/support/inspection/oracle.ts'
import { moveClockToNoon } from '#test/support/time/moved_clock.ts'
import { callsOf } from './parts.ts'
import { openShop } from './shop.ts'

const shop = await openShop({
  env: { ISSUER_CLEARING: 'file' },
  settings: { partial_captures: true },
})
after(() => shop[Symbol.asyncDispose]())
shop.sweeper.start()
await moveClockToNoon(shop, shop.tenant)
await shop.signIn()
const { capture, refund, order, messages, booked } = callsOf(shop)
const { id: tenant_id } = shop.tenant
const card = await shop.customer(10_000_000n)

afterEach(async () => {
  assert.deepEqual(await auditAll(shop.db), [])
})

/** Writes what waits into a file at once, as the operator's command does. */
const written = async () =>
  transact(await shop.ctx(), (tx) => writeFile(tx, { issuer: null, due_by: null, is_own: true }))

async function recordsOf(bytes: Buffer) {
  const check = new FileCheck()
  const records = (await readAll(bytes)).map((reading) => {
    assert.ok('record' in reading, JSON.stringify(reading))
    check.add(reading.number, reading.at, reading.record)
    return objectOf(reading.record)
  })
  assert.deepEqual(check.end().faults, [])
  return records.slice(1, -1)
}

/** Until the issuer has posted all that was sent, and no message of a payment is under way. */
async function posted() {
  for (let turns = 0; turns < TURNS; turns += 1) {
    await shop.sweeper.runDueJobs(tenant_id)
    const { rows } = await sql`select from acquirer_files
      where tenant_id = ${tenant_id} and due is not null
      union all select from acquirer_messages
      where tenant_id = ${tenant_id} and status = 'PENDING'`.execute(shop.db)
    if (rows.length === 0) return
    await moveOn('PT2S')
  }
  assert.fail('a file was not posted')
}
const TURNS = 100

const moveOn = (advance: string) =>
  shop.request('PUT', '/v1/simulate/clock', { advance }, { key: shop.tenant.api_key })

async function differences(day: string) {
  const asked = { date: day, own_issuer: true }
  const kinds: string[] = []
  for await (const found of reconcile(shop.db, asked, await begin(shop.db, asked))) {
    kinds.push(...found.differences.map(({ kind }) => kind))
    kinds.push(...found.open.map(({ reason }) => reason))
  }
  return kinds
}

const sides = async () => {
  const { found, under_way } = await compareSides(shop.db, true)
  return { found, under_way }
}

describe('an acquirer that clears by file', () => {
  test('sends no advice, and has the capture and its refund in one file', async () => {
    const { order_id: id, reference } = await shop.order(card)
    const answer = await capture(reference, { total: '60' })
    assert.deepEqual([answer.status, answer.body.status], [200, 'SUCCESS'])
    assert.equal((await capture(reference, { total: '20.25', final: true })).status, 200)
    assert.equal((await refund(reference, '30')).body.status, 'SUCCESS')
    assert.equal((await order(reference)).status, 'COMPLETED')
    assert.equal((await booked(id))?.cleared_amount, 0n)
    assert.equal((await sides()).under_way, 1)

    const row = await written()
    assert.ok(row)
    const ctx = await shop.ctx()
    const stored = await findWrittenFile(ctx, row.id)
    assert.ok(stored)
    const bytes = await joined(bytesOf(ctx, stored))
    const records = await recordsOf(bytes)
    assert.deepEqual(
      records.map(({ MTI, DE24, DE3, DE4, DE49 }) => [MTI, DE24, DE3, DE4, DE49].join(' ')),
      [
        '1240 200 000000 000000006000 784',
        '1240 200 000000 000000002025 784',
        '1240 200 200000 000000003000 784',
      ],
    )
    assert.equal(new Set(records.map(({ DE31 }) => DE31)).size, 3)
    assert.ok(records.every(({ DE2 }) => DE2 === card.card_number))
    assert.ok((await joined(bytesOf(ctx, stored))).equals(bytes), 'the same bytes again')
    assert.equal(await written(), undefined)

    await posted()
    assert.deepEqual(
      await booked(id).then((one) => [one?.status, one?.cleared_amount, one?.held]),
      ['SETTLED', 8_025n, 0n],
    )
    assert.deepEqual(await messages(id), ['0100', '0220', '0220', '0420', '0200'])
    assert.deepEqual(await sides(), { found: [], under_way: 0 })
    await assertSound(shop.db)
  })

  test('writes the file of a day when it is over, and its issuer posts it by itself', async () => {
    const { order_id: id, reference } = await shop.order(card)
    await capture(reference)
    const day = formatDate((await shop.ctx()).now)
    assert.deepEqual(await differences(day), ['in_file'])
    await moveOn('P1D')
    await posted()
    assert.equal((await booked(id))?.status, 'SETTLED')
    assert.deepEqual(await sides(), { found: [], under_way: 0 })
    assert.deepEqual(new Set(await differences(day)), new Set(['over_midnight']))
  })

  test('takes a file in once those before it are posted', async () => {
    await shop.signIn()
    const { reference } = await shop.order(card)
    await capture(reference)
    const first = await transact(await shop.ctx(), async (tx) => {
      const row = await writeFile(tx, { issuer: null, due_by: null, is_own: true })
      // Another process has it in hand.
      await sql`update acquirer_files set due = due + interval '1 minute'
        where tenant_id = ${tenant_id} and id = ${row?.id}`.execute(tx.db)
      return row
    })
    await refund(reference, '10')
    const second = await written()
    assert.ok(first && second)
    const imported = async () => {
      const { rows } = await sql<{ file: string }>`select file from clearing_files
        where file in (${first.file}, ${second.file}) order by id`.execute(shop.db)
      return rows.map(({ file }) => file)
    }
    await shop.sweeper.runDueJobs(tenant_id)
    assert.deepEqual(await imported(), [])
    await posted()
    assert.deepEqual(await imported(), [first.file, second.file])
    const suspended = sql`select from clearing_records where state = 'SUSPENDED'`
    assert.equal((await suspended.execute(shop.db)).rows.length, 0)
  })

  test('repeats the answer of a capture under its key, and captures once', async () => {
    await shop.signIn()
    const { order_id: id, reference } = await shop.order(card)
    const key = { 'idempotency-key': 'one' }
    const answers = await Promise.all([
      capture(reference, {}, key),
      capture(reference, {}, key),
      capture(reference, {}, key),
    ])
    for (const { status, body } of answers) {
      assert.deepEqual([status, body.status], [200, 'SUCCESS'])
    }
    assert.deepEqual(await messages(id), ['0100', '0220'])
  })
})

describe('doctor finds', () => {
  const cases: [name: string, plant: ReturnType<typeof sql>, found: RegExp][] = [
    [
      'a capture that is in no file of its number',
      sql`delete from acquirer_presentments where number = 2`,
      /acquirer file .* has \d+ messages of \d+, and/,
    ],
    [
      'a file whose sum was changed',
      sql`update acquirer_files set amount = amount + 1`,
      /acquirer file .* has \d+ messages of \d+, and/,
    ],
    [
      'a collected capture whose message is not approved',
      sql`update acquirer_messages m set status = 'DECLINED' from acquirer_presentments p
        where p.tenant_id = m.tenant_id and p.message_id = m.id and p.number = 1`,
      /presentment .* is of a message 02\d0 that is DECLINED/,
    ],
    [
      'a presentment in a file that does not exist',
      sql`delete from acquirer_files`,
      /presentment .* is in file .*, which does not exist/,
    ],
  ]
  for (const [name, plant, found] of cases) {
    test(name, async () => {
      const undone = transact({ ...(await shop.ctx()), db: shop.db }, async (tx) => {
        await plant.execute(tx.db)
        const findings = await auditAcquirer(tx.db)
        const lines = findings.map(({ subject, detail }) => `${subject} ${detail}`)
        assert.ok(
          lines.some((line) => found.test(line)),
          lines.join('\n'),
        )
        throw new Error('roll back')
      })
      await assert.rejects(undone, /roll back/)
    })
  }
})
