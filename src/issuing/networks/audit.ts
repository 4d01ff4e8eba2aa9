/** The invariant of the keys of networks (I4), checked over a whole database. */

import { sql } from 'kysely'
import { FINDINGS_MAX, type Finding } from '#kit/audit.ts'
import type { Db } from '#kit/db/database.ts'
import { NO_TENANT } from '#kit/http/callers/callers.ts'
import { custodyOfKey } from './store.ts'

/** Keys outside the custody of the installation (D-1010). Empty when there are none. */
export async function auditNetworkKeys(db: Db): Promise<Finding[]> {
  const { rows } = await sql<Finding>`
    select 'I4' as invariant, ${NO_TENANT}::text as tenant_id,
      k.use || ' ' || k.id || ' of network ' || k.network as subject,
      'is in the custody ' || k.custody || ', those of the installation in ' || i.custody as detail
    from (select id, network, use, ${custodyOfKey} as custody from network_keys) k
    join installation i on i.custody <> 'MOVING' and i.custody <> k.custody
    order by k.id
    limit ${FINDINGS_MAX}`.execute(db)
  return rows
}
