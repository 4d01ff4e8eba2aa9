import { sql } from 'kysely'
import type { Context } from '#kit/context.ts'
import { instantArray, jsonArray, plainArray } from '#kit/db/arrays.ts'
import { firstIdAt } from '#lib/id.ts'
import { COUNTED_MESSAGES, type CountedGroup, type Counts, CREDITS, QUARTER_MS } from './rules.ts'

/** An id is made so long before or after the decision that it names, whatever machines do. */
const ID_SLACK_MS = 15 * 60_000

/** The milliseconds by which the tenant's clock is ahead of real time. */
export async function findClockLead({ db, tenant_id }: Context): Promise<number> {
  const { rows } = await sql<{ lead: bigint }>`
    select clock_offset_ms as lead from tenants where id = ${tenant_id}`.execute(db)
  return Number(rows[0]?.lead ?? 0)
}

/** Times in milliseconds; `to` is left out. */
type Range = { from: number; to: number }

type StoredCounts = {
  quarter: Date
  approved: number
  declined: number
  amounts: Record<string, string>
  codes: Record<string, number>
}

/** The quarters that were counted before. */
export async function listCounts(
  { db, tenant_id }: Context,
  { from, to }: Range,
): Promise<[number, Counts][]> {
  const { rows } = await sql<StoredCounts>`
    select quarter, approved, declined, amounts, codes from decision_counts
    where tenant_id = ${tenant_id} and quarter >= ${new Date(from)} and quarter < ${new Date(to)}
  `.execute(db)
  return rows.map(({ quarter, amounts, ...row }) => [
    quarter.getTime(),
    { ...row, amounts: bigints(amounts) },
  ])
}

const bigints = (texts: Record<string, string>): Record<string, bigint> =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, BigInt(text)]))

/**
 * Counts decisions by their first event, which never changes. Reads by the key, in whose order rows
 * were written: ids have real time, which the tenant's clock is ahead of by at most `lead`. The
 * history is read once (`offset 0`), which is most of the work.
 */
export async function listCountedGroups(
  { db, tenant_id }: Context,
  { from, to }: Range,
  lead: number,
): Promise<CountedGroup[]> {
  // No id is older than 1970.
  const [first, end] = [from - lead - ID_SLACK_MS, to + ID_SLACK_MS].map((ms) => Math.max(0, ms))
  if (first === undefined || end === undefined) return []
  const { rows } = await sql<Omit<CountedGroup, 'number' | 'amount'> & Record<Sum, string>>`
    select quarter, approved, name, count(*) as number, sum(amount) as amount
    from (
      select to_timestamp(floor(extract(epoch from t.created) / ${QUARTER_S}::int)
          * ${QUARTER_S}::int) as quarter,
        e.type <> 'DECLINED' as approved,
        case e.type when 'DECLINED' then e.status_code else t.currency end as name,
        e.amount
      from (
        select created, currency, details -> 'events' -> 0 as event from transactions
        where tenant_id = ${tenant_id} and id >= ${firstIdAt(first)} and id < ${firstIdAt(end)}
          and created >= ${new Date(from)} and created < ${new Date(to)}
          and transaction_type <> all (${plainArray(CREDITS)}::text[])
        offset 0) t
      cross join lateral json_to_record(t.event)
        as e (type text, message_type text, status_code text, amount numeric)
      where e.message_type = any (${plainArray(COUNTED_MESSAGES)}::text[])) decisions
    group by quarter, approved, name`.execute(db)
  return rows.map((row) => ({ ...row, number: Number(row.number), amount: BigInt(row.amount) }))
}

const QUARTER_S = QUARTER_MS / 1000

type Sum = 'number' | 'amount'

/**
 * Keeps the counts of closed quarters. No counts are kept of a tenant whose clock was moved,
 * because its decisions may belong to any time between. The clock only goes forward, so if it has
 * not been moved yet, it had not been when they were counted.
 */
export async function insertCounts(
  { db, tenant_id }: Context,
  counted: readonly (readonly [quarter: number, counts: Counts])[],
): Promise<void> {
  if (counted.length === 0) return
  const counts = counted.map(([, each]) => each)
  const texts = (amounts: Counts['amounts']) =>
    JSON.stringify(amounts, (_, value) => (typeof value === 'bigint' ? String(value) : value))
  await sql`
    insert into decision_counts (tenant_id, quarter, approved, declined, amounts, codes)
    select anchor.tenant_id,
      unnest(${instantArray(counted.map(([quarter]) => new Date(quarter)))}::timestamptz[]),
      unnest(${plainArray(counts.map(({ approved }) => approved))}::int[]),
      unnest(${plainArray(counts.map(({ declined }) => declined))}::int[]),
      unnest(${jsonArray(counts.map(({ amounts }) => texts(amounts)))}),
      unnest(${jsonArray(counts.map(({ codes }) => JSON.stringify(codes)))})
    from tenant_anchors anchor join tenants t on t.id = anchor.tenant_id
    where anchor.tenant_id = ${tenant_id} and t.clock_offset_ms = 0
    on conflict do nothing`.execute(db)
}
