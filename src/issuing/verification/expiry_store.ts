/** The SQL of the expiry job: every statement within one tenant, except that of the due tenants. */

import { sql } from 'kysely'
import { tenantNow } from '#kit/clock.ts'
import type { Context, Tx } from '#kit/context.ts'
import { tenantsWith } from '#kit/jobs/due_tenants.ts'

/** The documents whose expiry matters (D-24). */
const TYPES = sql`('PASSPORT', 'NATIONAL_ID', 'VISA')`

export type Expiring = {
  user_id: string
  identification_id: string
  type: string
  expiration_date: Date
}

/** Tenants with a policy that were not checked today, on their own clocks. */
export const tenantsToLookAt = tenantsWith(
  sql`t.settings ? 'expired_idv_policy' and not exists (
    select from document_looks l where l.tenant_id = t.tenant_id and l.due > ${tenantNow})`,
)

export async function upsertLook({ db, tenant_id }: Tx, due: Date): Promise<void> {
  await db
    .insertInto('document_looks')
    .values({ tenant_id, due })
    .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet({ due }))
    .execute()
}

/**
 * Individuals whose newest document ends by `until`. A user that has renewed its verification
 * without a newer document is not warned of the same document again, whatever its reason is.
 */
export async function listExpiring(
  { db, tenant_id }: Context,
  { until, statuses, limit }: { until: Date; statuses: readonly string[]; limit: number },
): Promise<Expiring[]> {
  const { rows } = await sql<Expiring>`
    select i.user_id, i.id as identification_id, i.type, i.expiration_date
    from identifications i join users u on u.tenant_id = i.tenant_id and u.id = i.user_id
    where i.tenant_id = ${tenant_id} and u.tenant_id = ${tenant_id}
      and i.type in ${TYPES} and i.expiration_date <= ${until}
      and u.user_type = 'INDIVIDUAL' and u.status = any (${statuses}::text[])
      and u.status_reason_code in ('A0', 'A7')
      and not exists (select from identifications n
        where n.tenant_id = ${tenant_id} and n.user_id = i.user_id and n.type in ${TYPES}
          and (n.created, n.id) > (i.created, i.id))
      and not exists (select from document_alerts a
        join user_status_changes c on c.tenant_id = a.tenant_id and c.user_id = a.user_id
          and c.new_status_reason_code = 'A7' and c.created >= a.created
        where a.tenant_id = ${tenant_id} and c.tenant_id = ${tenant_id}
          and a.identification_id = i.id and a.expiration_date = i.expiration_date)
    order by i.expiration_date limit ${limit}`.execute(db)
  return rows
}

export async function insertAlert(
  { db, tenant_id, now }: Tx,
  { user_id, identification_id, expiration_date }: Expiring,
): Promise<void> {
  await db
    .insertInto('document_alerts')
    .values({ tenant_id, user_id, identification_id, expiration_date, created: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
