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
