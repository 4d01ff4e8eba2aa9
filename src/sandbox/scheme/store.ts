import { sql } from 'kysely'
import { tenantNow } from '#kit/clock.ts'
import type { Context } from '#kit/context.ts'
import { type DueTenants, tenantsWith } from '#kit/jobs/due_tenants.ts'
import { ACQUIRER_ID } from '#merchant/acquirer/acquirer.ts'
import { answers } from './rules.ts'

/** A message leaves after a day, and is answered after ten more, on the tenant's clock. */
const answered = sql`d.amount % 100 = any (${Object.keys(answers).map(Number)}::int[])`
const due = (now: unknown) => sql`(
  (d.outgoing is not null and d.modified <= ${now} - interval '1 day')
  or (d.outgoing is null and d.status in ('CHARGED_BACK', 'PRE_ARBITRATION') and ${answered}
    and d.modified <= ${now} - interval '10 days'))`

export const answersDue: DueTenants = tenantsWith(
  sql`exists (select from disputes d where d.tenant_id = t.tenant_id and ${due(tenantNow)})`,
)

export type Unanswered = { id: string; outgoing: string | null; status: string; amount: bigint }

export async function listUnanswered(
  { db, tenant_id, now }: Context,
  most: number,
): Promise<Unanswered[]> {
  const { rows } = await sql<Unanswered>`
    select id, outgoing, status, amount from disputes d
    where d.tenant_id = ${tenant_id} and ${due(sql`${now}::timestamptz`)}
    order by d.modified, d.id limit ${most}`.execute(db)
  return rows
}

/** A payment of the tenant's own shop: its 0100, by the retrieval reference (DE37). */
const ofShop = (tenant_id: string) => sql`
  transactions t
  join acquirer_messages m on m.tenant_id = ${tenant_id} and m.mti = '0100'
    and m.fields ->> '37' = t.rrn
  join orders o on o.tenant_id = ${tenant_id} and o.authorization_id = m.authorization_id`

/** `cleared_amount` is in minor units of the account's currency. */
type Paid = { id: string; cleared_amount: bigint }

/** The order that a card transaction paid, if its shop is of the tenant. */
export async function findOrderOf(
  { db, tenant_id }: Context,
  transaction_id: string,
): Promise<Paid | undefined> {
  const { rows } = await sql<Paid>`
    select o.id, t.cleared_amount from ${ofShop(tenant_id)}
    where t.tenant_id = ${tenant_id} and t.id = ${transaction_id}
      and split_part(t.message_key, '|', 4) = ${sql.lit(ACQUIRER_ID)}`.execute(db)
  return rows[0]
}

/**
 * Failed refunds of a day, each with a dispute of its payment that has more than the shop's
 * chargeback took, while the order has more left. `of` is the tenant; each table names it.
 */
const short = (of: unknown, now: unknown) => sql`
  order_operations f
  join orders o on o.tenant_id = ${of} and o.id = f.order_id
  join acquirer_messages m on m.tenant_id = ${of} and m.id = o.authorization_id
  join transactions x on x.tenant_id = ${of} and x.rrn = m.fields ->> '37'
    and split_part(x.message_key, '|', 4) = ${sql.lit(ACQUIRER_ID)}
  join disputes d on d.tenant_id = ${of} and d.transaction_id = x.id and d.currency = o.currency
  where f.tenant_id = ${of} and f.type = 'REFUND' and f.status = 'FAILURE'
    and f.modified > ${now} - interval '1 day'
    and (d.status in ('CHARGED_BACK', 'REPRESENTED', 'PRE_ARBITRATION') or d.outcome = 'WON')
    and not exists (select from order_operations p where p.tenant_id = ${of}
      and p.order_id = o.id and p.type = 'REFUND' and p.status = 'PENDING')
    and d.amount > (select coalesce(sum(c.amount), 0) from chargebacks c
      where c.tenant_id = ${of} and c.dispute_id = d.id and c.status not in ('WON', 'WITHDRAWN'))
    and o.captured - o.refunded > (select coalesce(
        sum(case when c.status in ('WON', 'WITHDRAWN') then c.kept else c.amount end), 0)
      from chargebacks c where c.tenant_id = ${of} and c.order_id = o.id)`

export const shortDue: DueTenants = tenantsWith(
  sql`exists (select from ${short(sql`t.tenant_id`, tenantNow)})`,
)

/** The ids of such disputes. */
export async function listShort({ db, tenant_id, now }: Context, most: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct d.id from ${short(sql`${tenant_id}::uuid`, sql`${now}::timestamptz`)}
    limit ${most}`.execute(db)
  return rows.map(({ id }) => id)
}
