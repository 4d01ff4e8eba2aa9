/** The rows that a backtest keeps between its portions. */

import { sql } from 'kysely'
import type { StoredCounters } from '#issuing/limits/rules.ts'
import type { Context, Tx } from '#kit/context.ts'
import { instantArray, jsonArray, plainArray } from '#kit/db/arrays.ts'
import type { Open } from './rules.ts'

type Of = Context & { backtest_id: string }

export async function listCounts(
  { db, tenant_id, backtest_id }: Of,
  holder_ids: readonly string[],
): Promise<Map<string, StoredCounters>> {
  if (holder_ids.length === 0) return new Map()
  const { rows } = await sql<{ holder_id: string; counters: StoredCounters }>`
    select holder_id, counters from backtest_counters
    where tenant_id = ${tenant_id} and backtest_id = ${backtest_id}
      and holder_id = any (${plainArray(holder_ids)}::uuid[])`.execute(db)
  return new Map(rows.map(({ holder_id, counters }) => [holder_id, counters]))
}

export async function upsertCounts(
  { db, tenant_id, backtest_id }: Of,
  changed: readonly { holder_id: string; counters: StoredCounters }[],
): Promise<void> {
  if (changed.length === 0) return
  const ids = plainArray(changed.map(({ holder_id }) => holder_id))
  const texts = jsonArray(changed.map(({ counters }) => JSON.stringify(counters)))
  await sql`
    insert into backtest_counters (tenant_id, backtest_id, holder_id, counters)
    select anchor.tenant_id, ${backtest_id}::uuid, given.*
    from tenant_anchors anchor
    cross join rows from (unnest(${ids}::uuid[]), unnest(${texts})) as given
    where anchor.tenant_id = ${tenant_id}
    on conflict (tenant_id, backtest_id, holder_id) do update set counters = excluded.counters
  `.execute(db)
}

/** The open transactions whose next event is not after `until`, in the order of their events. */
export async function listOpen(
  { db, tenant_id, backtest_id }: Of,
  until: Date,
  limit: number,
): Promise<Open[]> {
  const { rows } = await sql<Open>`
    select transaction_id, due, sequence, state from backtest_open
    where tenant_id = ${tenant_id} and backtest_id = ${backtest_id} and due <= ${until}
    order by due, transaction_id limit ${limit}`.execute(db)
  return rows
}

export async function upsertOpen(
  { db, tenant_id, backtest_id }: Of,
  open: readonly Open[],
): Promise<void> {
  if (open.length === 0) return
  const ids = plainArray(open.map(({ transaction_id }) => transaction_id))
  await sql`
    insert into backtest_open (tenant_id, backtest_id, transaction_id, due, sequence, state)
    select anchor.tenant_id, ${backtest_id}::uuid, given.*
    from tenant_anchors anchor cross join rows from (unnest(${ids}::uuid[]),
      unnest(${instantArray(open.map(({ due }) => due))}::timestamptz[]),
      unnest(${plainArray(open.map(({ sequence }) => sequence))}::int[]),
      unnest(${jsonArray(open.map(({ state }) => JSON.stringify(state)))})) as given
    where anchor.tenant_id = ${tenant_id}
    on conflict (tenant_id, backtest_id, transaction_id) do update
      set due = excluded.due, sequence = excluded.sequence, state = excluded.state`.execute(db)
}

export async function deleteOpen(
  { db, tenant_id, backtest_id }: Of,
  transaction_ids: readonly string[],
): Promise<void> {
  if (transaction_ids.length === 0) return
  await sql`
    delete from backtest_open where tenant_id = ${tenant_id} and backtest_id = ${backtest_id}
      and transaction_id = any (${plainArray(transaction_ids)}::uuid[])`.execute(db)
}

/** Deletes at most `limit` rows of each table, and returns whether more may be left. */
export async function deleteKept(
  { db, tenant_id }: Tx,
  backtest_id: string,
  limit: number,
): Promise<boolean> {
  const own = sql`tenant_id = ${tenant_id} and backtest_id = ${backtest_id}`
  const of = (table: string, key: string) =>
    sql`
    delete from ${sql.table(table)} where ${own} and ${sql.ref(key)} = any (array(
      select ${sql.ref(key)} from ${sql.table(table)} where ${own} limit ${limit}))`.execute(db)
  const deleted = await Promise.all([
    of('backtest_counters', 'holder_id'),
    of('backtest_open', 'transaction_id'),
  ])
  return deleted.some(({ numAffectedRows }) => Number(numAffectedRows) === limit)
}
