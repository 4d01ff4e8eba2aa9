/** The work on all stored answers, beside requests: old ones are deleted, all are checked. */

import { sql } from 'kysely'
import { FINDINGS_MAX, type Finding } from '#kit/audit.ts'
import type { Db } from '#kit/db/database.ts'
import { LIVING_SINCE } from './idempotency.ts'

/** After hours without a worker there are millions: too many for one statement. */
const FORGOTTEN_AT_ONCE = 10_000

/** Deletes answers past their lifetime; called by the housekeeping sweep. */
export async function forgetOldAnswers(db: Db): Promise<void> {
  for (let until: string | undefined; ; ) {
    // Read as text, which has every digit of the instant.
    const { rows } = await sql<{ created: string }>`
      select created::text as created from idempotency_keys where created <= ${LIVING_SINCE}
      order by idempotency_keys.created offset ${sql.lit(FORGOTTEN_AT_ONCE - 1)} limit 1`.execute(
      db,
    )
    until = rows[0]?.created
    const past = until === undefined ? LIVING_SINCE : sql`${until}::timestamptz`
    await sql`delete from idempotency_keys where created <= ${past}`.execute(db)
    if (until === undefined) return
  }
}

/** Checks that no key has two answers, in case the constraint was dropped (I4). */
export async function auditAnswers(db: Db): Promise<Finding[]> {
  const { rows } = await sql<Finding>`
    select 'I4' as invariant, tenant_id, 'idempotency key ' || key as subject,
      'has ' || count(*) || ' answers' as detail
    from idempotency_keys group by tenant_id, key having count(*) > 1
    limit ${FINDINGS_MAX}`.execute(db)
  return rows
}
