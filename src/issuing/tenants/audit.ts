/** The invariant of tenants (I6), checked over a whole database. */

import { sql } from 'kysely'
import { FINDINGS_MAX, type Finding } from '#kit/audit.ts'
import type { Db } from '#kit/db/database.ts'
import { NO_TENANT } from '#kit/http/callers/callers.ts'

/** Each tenant has its anchor, and each anchor its tenant. Empty when all have. */
export async function auditTenants(db: Db): Promise<Finding[]> {
  const { rows } = await sql<Finding>`
    select 'I6' as invariant, id as tenant_id, 'tenant ' || id as subject, detail
    from (
      select id, 'has no anchor' as detail
      from (select id from tenants except select tenant_id from tenant_anchors) lacking
      union all
      select tenant_id, 'does not exist and has an anchor'
      from (select tenant_id from tenant_anchors where tenant_id <> ${NO_TENANT}
        except select id from tenants) left_over) compared
    limit ${FINDINGS_MAX}`.execute(db)
  return rows
}
