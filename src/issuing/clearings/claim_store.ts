/**
 * The portions of files that processes have in hand (D-1390): a portion is that of its first
 * record, whatever the state of that is, so that a claim writes one row.
 */

import { type RawBuilder, sql } from 'kysely'
import { databaseNow, databaseNowPlus } from '#kit/clock.ts'
import type { Context } from '#kit/context.ts'
import { isGiven, type Key, keysOf, ofAccepted, type RecordRow } from './record_store.ts'

/** The columns that posting reads; `content` of those records alone that may answer disputes. */
export type WaitingRecord = Pick<
  RecordRow,
  | 'file_id'
  | 'number'
  | 'mti'
  | 'function_code'
  | 'kind'
  | 'state'
  | 'reason'
  | 'reversed'
  | 'facts'
  | 'content'
  | 'card_id'
  | 'amount'
  | 'currency'
  | 'credit'
  | 'ard'
>

/** `first` is the number of the record that stands for it. */
type Portion = { file_id: string; first: number; records: WaitingRecord[] }

/** A process that has a portion in hand is given up after so long. */
const LEASE_MS = 60_000
/** Portions that are looked at: those before the last may be in the hands of other processes. */
const LOOKED_AT = 12

const isDue = sql`r.state = 'WAITING' and r.claimed <= ${databaseNow} and ${ofAccepted}`

/** A tenant, `t`, with records that wait. */
export const hasWaiting: RawBuilder<unknown> = sql`exists (
  select from clearing_records r where r.tenant_id = t.tenant_id and ${isDue})`

/**
 * The first portion with a record to post that no other process has; `size` is the length of a
 * portion.
 */
export async function claimPortion(ctx: Context, size: number): Promise<Portion | undefined> {
  for (const { file_id, behind, first } of await listFree(ctx, size)) {
    if (!(await updateClaimed(ctx, file_id, first))) continue
    return { file_id, first, records: await listWaiting(ctx, file_id, behind, first, size) }
  }
  return undefined
}

type Free = { file_id: string; behind: number; first: number }

async function listFree({ db, tenant_id }: Context, size: number): Promise<Free[]> {
  const length = sql.lit(size)
  const { rows } = await sql<Free>`
    with recursive portions as (${waitingPortions(tenant_id, length)})
    select p.file_id, p.behind, first.number as first from portions p
    cross join lateral (
      select number, claimed from clearing_records
      where tenant_id = ${tenant_id} and file_id = p.file_id
        and number > p.behind and number <= p.last
      order by number limit 1) first
    where first.claimed <= ${databaseNow}
    order by p.file_id, p.behind`.execute(db)
  return rows
}

/** False if another process has claimed it since. */
async function updateClaimed(
  { db, tenant_id }: Context,
  file_id: string,
  first: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update clearing_records set claimed = ${databaseNowPlus(LEASE_MS)}
    where tenant_id = ${tenant_id} and file_id = ${file_id} and number = ${first}
      and claimed <= ${databaseNow}`.execute(db)
  return numAffectedRows === 1n
}

/**
 * The portions that have records to post, each with the number behind which it begins and its last
 * one, found by one look into the index: a comparison of both columns is in its order, so that
 * nothing else is read before there are statistics. The numbers are columns: under row security, no
 * index serves a condition that computes one from a column (D-509).
 */
function waitingPortions(tenant_id: string, length: RawBuilder<unknown>): RawBuilder<unknown> {
  const columns = sql`select r.file_id, (r.number - 1) / ${length} * ${length} as behind,
    (r.number - 1) / ${length} * ${length} + ${length} as last`
  // Not a join, which may begin with the file and sort all of its records.
  const isReady = sql`r.state = 'WAITING' and r.claimed <= ${databaseNow}
    and (select f.state from clearing_files f where f.id = r.file_id) = 'ACCEPTED'`
  return sql`
    (${columns}, 1 as count from clearing_records r
      where r.tenant_id = ${tenant_id} and ${isReady}
      order by r.file_id, r.number limit 1)
    union all
    select next.file_id, next.behind, next.last, p.count + 1 from portions p cross join lateral (
      ${columns} from clearing_records r
      where r.tenant_id = ${tenant_id} and ${isReady}
        and (r.file_id, r.number) > (p.file_id, p.last)
      order by r.file_id, r.number limit 1) next
    where p.count < ${sql.lit(LOOKED_AT)}`
}

/** `size` records behind the number `behind`; the claim is that of `first`. */
async function listWaiting(
  { db, tenant_id }: Context,
  file_id: string,
  behind: number,
  first: number,
  size: number,
): Promise<WaitingRecord[]> {
  const { rows } = await sql<WaitingRecord>`
    select file_id, number, mti, function_code, kind, state, reason, reversed, facts, card_id,
      amount, currency, credit, ard,
      case when kind in ('PRESENTMENT', 'REVERSAL', 'FEE') then '{}' else content end as content
    from clearing_records
    where tenant_id = ${tenant_id} and file_id = ${file_id} and number > ${behind}::int
      and number <= ${behind + size}::int and state = 'WAITING'
      and (claimed <= ${databaseNow} or number = ${first}::int)
    order by number`.execute(db)
  return rows
}

/** The portion may be taken again, but for those of its records that wait for longer. */
export async function updateReleased(
  { db, tenant_id }: Context,
  { file_id, first }: Pick<Portion, 'file_id' | 'first'>,
): Promise<void> {
  await sql`
    update clearing_records set claimed = ${databaseNow}
    where tenant_id = ${tenant_id} and file_id = ${file_id} and number = ${first}`.execute(db)
}

/** They may be taken again a little later. */
export async function updatePostponed(
  { db, tenant_id }: Context,
  records: readonly Key[],
  after_ms: number,
): Promise<void> {
  if (records.length === 0) return
  await sql`
    update clearing_records r set claimed = ${databaseNowPlus(after_ms)}
    from ${keysOf(records)}
    where r.tenant_id = ${tenant_id} and ${isGiven(records)} and r.state = 'WAITING'`.execute(db)
}
