import { sql } from 'kysely'
import { tenantNow } from '#kit/clock.ts'
import type { Context } from '#kit/context.ts'
import { type DueTenants, tenantsWith } from '#kit/jobs/due_tenants.ts'
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
