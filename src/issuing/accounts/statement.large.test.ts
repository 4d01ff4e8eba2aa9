/** An account of 100,000 entries: a page reads what it shows, a statement passes at flat memory. */

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { auditLedger, programAccountId } from '#issuing/ledger/ledger.ts'
import { type Tx, transact } from '#kit/context.ts'
import { growthOfHeap } from '#test/support/inspection/heap.ts'
import { rowsRead, sumOf } from '#test/support/inspection/rows_read.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { openWorld } from '#test/support/world.ts'
import { listEntries } from './accounts.ts'
import { listEntryRows } from './statement_store.ts'

const ENTRIES = 100_000
/** A statement has a bounded time, on a busy machine too. */
const PORTION = 10_000
/** A prepared statement settles on one plan for all values after this many runs. */
const RUNS = 8
const GROWTH_MAX = 16 * 1024 * 1024

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const issuer = await openIssuer(world)
const { account_id } = await issuer.card()
const neighbour = await issuer.card()
const ctx = await world.ctx()
await fill(account_id, ENTRIES)
await fill(neighbour.account_id, 2_000)
await sql`analyze transfers, accounts`.execute(world.db)

/**
 * Nine of ten entries bring 1.00, the tenth takes 2.00; several share an instant. Some are of these
 * minutes.
 */
async function fill(id: string, entries: number): Promise<void> {
  const funding = programAccountId(ctx.tenant_id, 'FUNDING', 'AED')
  for (let from = 1; from <= entries; from += PORTION) {
    await sql`
      insert into transfers (tenant_id, id, kind, debit_account_id, credit_account_id, currency,
        amount, notes, created)
      select ${ctx.tenant_id}, gen_random_uuid(), case when out then 'UNLOAD' else 'LOAD' end,
        case when out then ${id}::uuid else ${funding} end,
        case when out then ${funding} else ${id}::uuid end,
        'AED', case when out then 200 else 100 end, repeat('note ', 20),
        ${ctx.now}::timestamptz - (${entries}::int - n) / 7 * interval '1 second'
      from (select n, n % 10 = 0 as out
        from generate_series(${from}::int, ${Math.min(entries, from + PORTION - 1)}::int) n) numbered
    `.execute(world.db)
  }
  await sql`
    update accounts a set balance = (select sum(amount) from entries
      where tenant_id = ${ctx.tenant_id} and account_id = a.id)
    where tenant_id = ${ctx.tenant_id} and id = any (array[${id}, ${funding}]::uuid[])`.execute(
    world.db,
  )
}

/** Rows of the books that a connection has read, by whatever way. */
const readOfBooks = async (tx: Tx) => sumOf(await rowsRead(tx, /^transfers(_\d+)?$/))

/** Shows 50 entries and one to see whether there are more: from either side at most so many. */
async function assertReadsOnePage(show: (tx: Tx) => Promise<readonly unknown[]>, most = 2 * 51) {
  for (let run = 1; run <= RUNS; run += 1) {
    const count = await transact(ctx, async (tx) => {
      const before = await readOfBooks(tx)
      assert.ok((await show(tx)).length >= 50)
      return (await readOfBooks(tx)) - before
    })
    assert.ok(count > 0 && count <= most + 1, `run ${run} read ${count} rows`)
  }
}

describe('of 100,000 entries', () => {
  test('the first page reads no more than it shows, whatever plan was made', () =>
    assertReadsOnePage(async (tx) => (await listEntries(tx, account_id, { limit: 50 })).data))

  test('the second reads besides what the first has shown', async () => {
    const { after = '' } = await listEntries(ctx, account_id, { limit: 50 })
    const read = async (tx: Tx) => (await listEntries(tx, account_id, { limit: 50, after })).data
    await assertReadsOnePage(read, 3 * 51)
  })

  test('a page whose balance is known reads no more, however deep it is', () => {
    const after = { created: new Date(ctx.now.getTime() - 7_000_000).toISOString(), id: account_id }
    const [filter, range] = [
      { account_id, balance: 1_000_000n },
      { after, limit: 51 },
    ]
    return assertReadsOnePage(async (tx) => (await listEntryRows(tx, filter, range)) ?? [])
  })

  test('the statement is sent whole, at flat memory, as slowly as it is read', async () => {
    const base = await world.app.listen({ host: '127.0.0.1', port: 0 })
    const answer = await fetch(`${base}/v1/accounts/${account_id}/transactions`, {
      headers: { accept: 'text/csv', apikey: world.tenant.api_key },
    })
    const grown = growthOfHeap()
    const outside = process.memoryUsage().external
    let [lines, bytes, sum, rest] = [0, 0, 0, '']
    let expected: number | undefined
    for await (const part of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      bytes += part.length
      const whole = (rest + part).split('\r\n')
      rest = whole.pop() ?? ''
      for (const line of whole) {
        lines += 1
        if (lines === 1) continue
        const [, , , amount, , balance] = line.split(',').map(Number)
        if (amount === undefined || balance === undefined) throw new Error(line)
        sum += amount
        assert.equal(balance, expected ?? balance, line)
        expected = balance - amount
        if (lines === ENTRIES / 2) {
          const growth = grown() + process.memoryUsage().external - outside
          assert.ok(growth < GROWTH_MAX, `grew by ${growth} of ${2 * bytes} bytes`)
        }
      }
    }
    assert.deepEqual([lines, rest, expected], [ENTRIES + 1, '', 0])
    assert.ok(bytes > GROWTH_MAX)
    assert.equal(sum, (await issuer.account(account_id)).balance)
    assert.deepEqual(await auditLedger(world.db), [])
  })
})
