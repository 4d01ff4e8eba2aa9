import { sql } from 'kysely'
import type { Context, Tx } from '#kit/context.ts'
import { plainArray, textArray } from '#kit/db/arrays.ts'
import { Write } from '#kit/db/write.ts'
import { newId } from '#lib/id.ts'
import type { ControlKind, ShadowCount } from './rules.ts'

/** One statement for any number of counts; `day` is that of the tenant, YYYY-MM-DD. */
export function insertShadowCounts(tx: Tx, counts: readonly ShadowCount[], day: string): Write {
  if (counts.length === 0) return Write.of(tx.db)
  const column = (value: (count: ShadowCount) => string | number | bigint | boolean) =>
    plainArray(counts.map(value))
  const examples = textArray(counts.map(({ transaction_ids }) => plainArray(transaction_ids)))
  const inserted = sql`
    insert into shadow_counts (tenant_id, id, kind, control_id, day, status_code, currency,
      approved, number, amount, transaction_ids)
    select anchor.tenant_id, given.id, given.kind, given.control_id, ${day}::date,
      given.status_code, given.currency, given.approved, given.number, given.amount,
      given.examples::uuid[]
    from tenant_anchors anchor cross join unnest(
      ${column(newId)}::uuid[], ${column(({ kind }) => kind)}::text[],
      ${column(({ id }) => id)}::uuid[], ${column(({ code }) => code)}::text[],
      ${column(({ currency }) => currency)}::text[], ${column(({ approved }) => approved)}::bool[],
      ${column(({ number }) => number)}::int[], ${column(({ amount }) => amount)}::numeric[],
      ${examples}::text[])
      as given (id, kind, control_id, status_code, currency, approved, number, amount, examples)
    where anchor.tenant_id = ${tx.tenant_id}`
  return Write.of(tx.db, inserted)
}

/** The period of one list or limit, between two days that both belong to it. */
export type ShadowPeriod = { kind: ControlKind; id: string; from: string; to: string }

const ofPeriod = (tenant_id: string, { kind, id, from, to }: ShadowPeriod) => sql`
  tenant_id = ${tenant_id} and kind = ${kind} and control_id = ${id}
  and day between ${from}::date and ${to}::date`

export type DaySum = {
  day: string
  status_code: string
  currency: string
  number: bigint
  amount: string
  declined_number: bigint
  declined_amount: string
}

/** The sums of each day, code and currency, the newest day first. */
export async function listDaySums(
  { db, tenant_id }: Context,
  period: ShadowPeriod,
): Promise<DaySum[]> {
  const { rows } = await sql<DaySum>`
    select day::text, status_code, currency,
      coalesce(sum(number) filter (where approved), 0)::bigint as number,
      coalesce(sum(amount) filter (where approved), 0)::text as amount,
      coalesce(sum(number) filter (where not approved), 0)::bigint as declined_number,
      coalesce(sum(amount) filter (where not approved), 0)::text as declined_amount
    from shadow_counts where ${ofPeriod(tenant_id, period)}
    group by day, status_code, currency order by day desc, status_code, currency`.execute(db)
  return rows
}

export type Example = { status_code: string; transaction_id: string }

/** The newest transactions that were approved, newest first. */
export async function listExamples(
  { db, tenant_id }: Context,
  period: ShadowPeriod,
  limit: number,
): Promise<Example[]> {
  const { rows } = await sql<Example>`
    select status_code, transaction_id from (
      select id, day, status_code, transaction_ids from shadow_counts
      where ${ofPeriod(tenant_id, period)} and approved
      order by day desc, id desc limit ${limit}) c
    cross join lateral unnest(c.transaction_ids) with ordinality as e (transaction_id, at)
    order by day desc, id desc, at desc limit ${limit}`.execute(db)
  return rows
}
