/** The invariant of tokens (I6), checked over a whole database. */

import { sql } from 'kysely'
import { FINDINGS_MAX, type Finding } from '#kit/audit.ts'
import type { Db } from '#kit/db/database.ts'

/** Every token of a terminated card is deleted. Empty when the invariant holds. */
export async function auditTokens(db: Db): Promise<Finding[]> {
  const { rows } = await sql<Finding>`
    select 'I6' as invariant, t.tenant_id, 'token ' || t.id as subject,
      'is ' || t.status || ' and its card is ' || c.status as detail
    from tokens t join cards c on c.tenant_id = t.tenant_id and c.id = t.card_id
    where t.status <> 'DELETED' and c.status = 'TERMINATED'
    limit ${FINDINGS_MAX}`.execute(db)
  return rows
}
