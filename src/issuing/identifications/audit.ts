/** The invariant of files (I4), checked over a whole database. */

import { sql } from 'kysely'
import { FINDINGS_MAX, type Finding } from '#kit/audit.ts'
import type { Db } from '#kit/db/database.ts'

/**
 * The bytes that a tenant is counted to store are those of its files whose bytes are not deleted.
 * Empty when the invariant holds.
 */
export async function auditFiles(db: Db): Promise<Finding[]> {
  const { rows } = await sql<Finding>`
    select 'I4' as invariant, tenant_id, 'tenant ' || tenant_id as subject,
      'is counted to store ' || sum(counted) || ' bytes, and its files have ' || sum(present)
        as detail
    from (
      select tenant_id, bytes as counted, 0 as present from stored_bytes
      union all
      select tenant_id, 0, size from identification_files
      where deleted is null and scan_status <> 'INFECTED'
      union all
      select tenant_id, 0, size from dispute_files
      where deleted is null and scan_status <> 'INFECTED' and source = 'ISSUER'
      union all
      select tenant_id, 0, size from chargeback_files
      where deleted is null and scan_status <> 'INFECTED') compared
    group by tenant_id having sum(counted) <> sum(present)
    limit ${FINDINGS_MAX}`.execute(db)
  return rows
}
