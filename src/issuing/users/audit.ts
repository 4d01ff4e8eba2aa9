/** The invariant of users (I6), checked over a whole database. */

import { sql } from 'kysely'
import { FINDINGS_MAX, type Finding } from '#kit/audit.ts'
import type { Db } from '#kit/db/database.ts'
import { isComplete } from '#kit/db/partitions/partitions.ts'

/**
 * Each user's creation and each change of its status has one event, and the last of them has its
 * status. Empty when all have. Once old events were dropped, only users whose creation is among
 * those that are left are counted.
 */
export async function auditUsers(db: Db): Promise<Finding[]> {
  const complete = await isComplete(db, 'events')
  const { rows } = await sql<Finding>`
    select 'I6' as invariant, u.tenant_id, 'user ' || u.id as subject,
      case when u.status || ' ' || u.status_reason_code <> e.state
        then 'is ' || u.status || ' ' || u.status_reason_code || ' and was reported to be '
          || e.state
        else coalesce(e.made, 0) || ' creations and ' || coalesce(e.moved, 0)
          || ' changes of status were reported, of 1 and ' || coalesce(c.changes, 0) end as detail
    from users u
    left join (select tenant_id, object_id, count(*) filter (where event = 'USER_CREATED') as made,
        count(*) filter (where event = 'USER_STATUS_CHANGE') as moved,
        (array_agg(coalesce(payload ->> 'new_status', payload ->> 'status') || ' '
          || coalesce(payload ->> 'new_status_reason_code', payload ->> 'status_reason_code')
          order by sequence desc))[1] as state
      from events where event in ('USER_CREATED', 'USER_STATUS_CHANGE')
      group by tenant_id, object_id) e
      on e.tenant_id = u.tenant_id and e.object_id = u.id
    left join (select tenant_id, user_id, count(*) as changes
      from user_status_changes group by tenant_id, user_id) c
      on c.tenant_id = u.tenant_id and c.user_id = u.id
    where u.status || ' ' || u.status_reason_code <> e.state
      or ((coalesce(e.made, 0) <> 1 or coalesce(e.moved, 0) <> coalesce(c.changes, 0))
        and (${complete} or e.made > 0))
    limit ${FINDINGS_MAX}`.execute(db)
  return rows
}
