/** The invariant of users (I6), checked over a whole database. */

import { sql } from 'kysely'
import { FINDINGS_MAX, type Finding } from '#kit/audit.ts'
import type { Db } from '#kit/db/database.ts'
import { isComplete } from '#kit/db/partitions/partitions.ts'

/**
 * Each user's creation and each change of its status has one event. Empty when all have. Once old
 * events were dropped, only users whose creation is among those that are left are compared.
 */
export async function auditUsers(db: Db): Promise<Finding[]> {
  const complete = await isComplete(db, 'events')
  const { rows } = await sql<Finding>`
    select 'I6' as invariant, u.tenant_id, 'user ' || u.id as subject,
      coalesce(e.made, 0) || ' creations and ' || coalesce(e.moved, 0)
        || ' changes of status were reported, of 1 and ' || coalesce(c.changes, 0) as detail
    from users u
    left join (select tenant_id, object_id, count(*) filter (where event = 'USER_CREATED') as made,
        count(*) filter (where event = 'USER_STATUS_CHANGE') as moved
      from events group by tenant_id, object_id) e
      on e.tenant_id = u.tenant_id and e.object_id = u.id
    left join (select tenant_id, user_id, count(*) as changes
      from user_status_changes group by tenant_id, user_id) c
      on c.tenant_id = u.tenant_id and c.user_id = u.id
    where (coalesce(e.made, 0) <> 1 or coalesce(e.moved, 0) <> coalesce(c.changes, 0))
      and (${complete} or e.made > 0)
    limit ${FINDINGS_MAX}`.execute(db)
  return rows
}
