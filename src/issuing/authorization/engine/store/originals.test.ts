import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { type Tx, transact } from '#kit/context.ts'
import { newId } from '#lib/id.ts'
import { openWorld } from '#test/support/world.ts'
import { listOriginals } from './originals.ts'

const ROWS = 3_000
/** A prepared statement settles on one plan for all values after this many runs. */
const RUNS = 8

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const ctx = await world.ctx()
const card_id = newId()
/** The time in an id: messages are looked up among those of the last days. */
const TODAY = newId().slice(0, 13)

/** As many of each as a busy hour leaves; each message and transaction is one of `n`. */
async function fill(first: number): Promise<void> {
  const { tenant_id } = ctx
  const numbers = sql`generate_series(${first}::int, ${first + ROWS - 1}::int) as n`
  const id = sql`(${TODAY} || '-7000-8000-' || lpad(n::text, 12, '0'))::uuid`
  await sql`
    insert into transactions (tenant_id, id, card_id, transaction_type, status, status_code, amount,
      currency, held, hold_expires, rrn, message_key, sequence, details, created)
    select ${tenant_id}, ${id}, ${card_id}, 'PURCHASE', 'PENDING', '0000', 100, 'AED', 100,
      ${ctx.now}, 'R' || n, 'K|1|1|' || n || '|R' || n, 1,
      '{"merchant":{},"pos":{},"events":[{}],"trace":[]}', ${ctx.now} from ${numbers}`.execute(
    ctx.db,
  )
  await sql`
    insert into network_messages (tenant_id, key, mti, transaction_id, answer, created)
    select ${tenant_id}, 'L|1|1|' || n || '|R' || n, '0100', ${id}, 'null', ${ctx.now}
    from ${numbers}`.execute(ctx.db)
}

const originals = (n: number) => ({
  ids: [],
  message_keys: ['K', 'L'].map((key) => ({ message_key: `${key}|1|1|${n}`, rrn: `R${n}` })),
  by_rrn: [{ card_id, rrn: `R${n}`, isNew: false }],
})

/** Rows that this transaction has read beyond those that an index named. */
async function scanned({ db }: Tx): Promise<Record<string, unknown>> {
  const { rows } = await sql<{ relname: string; seq_tup_read: bigint }>`
    select relname, seq_tup_read from pg_stat_xact_user_tables
    where relname ~ '^(transactions|network_messages)' and seq_tup_read > 0`.execute(db)
  return Object.fromEntries(rows.map(({ relname, seq_tup_read }) => [relname, seq_tup_read]))
}

test('originals are found by their keys, without reading all that was posted', async () => {
  await fill(1)
  const find = (n: number) =>
    transact(ctx, async (tx) => {
      const { transactions, named } = await listOriginals(tx, originals(n))
      assert.deepEqual([...new Set(transactions.map(({ row }) => row.rrn))], [`R${n}`])
      assert.equal(transactions[0]?.row.held, 100n)
      for (const key of ['K', 'L']) {
        assert.equal(named.get(`${key}|1|1|${n}|R${n}`), transactions[0]?.row.id)
      }
      return scanned(tx)
    })
  for (let run = 1; run <= RUNS; run++) assert.deepEqual(await find(run), {})
  // With and without statistics, and on a plan that was made for fewer rows.
  await fill(ROWS + 1)
  assert.deepEqual(await find(ROWS + 1), {})
  await sql`analyze transactions, network_messages`.execute(ctx.db)
  for (let run = 1; run <= RUNS; run++) assert.deepEqual(await find(ROWS + run), {})
})
