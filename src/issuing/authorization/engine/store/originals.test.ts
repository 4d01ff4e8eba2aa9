import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { transact } from '#kit/context.ts'
import { openDatabase } from '#kit/db/database.ts'
import { USUAL_ROLE } from '#kit/db/security/program_role.ts'
import { newId } from '#lib/id.ts'
import { rowsRead } from '#test/support/inspection/rows_read.ts'
import { openWorld } from '#test/support/world.ts'
import { listOriginals } from './originals.ts'

const RUNS = 6
/** Rows of a table, of which one is found in up to ten ways. */
const READ_MAX = 30

const world = await openWorld()
/** The same connection settings as those of the engine. */
const { batches, close } = openDatabase(world.url, 1, { role: USUAL_ROLE })
after(async () => {
  await close()
  await world[Symbol.asyncDispose]()
})
const ctx = { ...(await world.ctx()), db: batches.forTenant(world.tenant.id) }
const card_id = newId()
/** The time in an id: messages are looked up among those of the last days. */
const TODAY = newId().slice(0, 13)

/** Inserts as many of each as a busy hour leaves; each message and transaction is one of `n`. */
async function fill(first: number, count: number): Promise<void> {
  const { tenant_id } = ctx
  const numbers = sql`generate_series(${first}::int, ${first + count - 1}::int) as n`
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
  by_rrn: [true, false].map((isNew) => ({ card_id, rrn: `R${n}`, isNew })),
})

const TABLES = /^(transactions|network_messages)/

test('originals are found by their keys, without reading all that was posted', async () => {
  const find = (n: number) =>
    transact(ctx, async (tx) => {
      const before = await rowsRead(tx, TABLES)
      const { transactions, named } = await listOriginals(tx, originals(n))
      const after = await rowsRead(tx, TABLES)
      assert.deepEqual([...new Set(transactions.map(({ row }) => row.rrn))], [`R${n}`])
      assert.equal(transactions[0]?.row.held, 100n)
      for (const key of ['K', 'L']) {
        assert.equal(named.get(`${key}|1|1|${n}|R${n}`), transactions[0]?.row.id)
      }
      const read = [...after].map(([table, count]) => count - (before.get(table) ?? 0))
      assert.ok(Math.max(...read) > 0)
      return Math.max(...read)
    })
  // On plans that were made for fewer rows, without statistics and with those of any size.
  await listOriginals(ctx, originals(1))
  let [rows, found] = [0, 0]
  for (const more of [1_000, 30, 270, 700, 2_000, 3_000]) {
    await fill(rows + 1, more)
    rows += more
    for (let run = 1; run <= RUNS; run++) assert.ok((await find(++found)) <= READ_MAX)
    await sql`analyze transactions, network_messages`.execute(world.db)
    for (let run = 1; run <= RUNS; run++) assert.ok((await find(++found)) <= READ_MAX)
  }
})
