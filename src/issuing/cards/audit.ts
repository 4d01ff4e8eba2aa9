/** What must hold of cards whatever broke (I6): asked of a whole database. */

import { sql } from 'kysely'
import { FINDINGS_MAX, type Finding } from '#kit/audit.ts'
import type { Db } from '#kit/database.ts'

/**
 * Every change of status was reported once: each report begins where the one before it ended, and
 * the last ends where the card stands. Empty when all is well.
 */
export async function auditCards(db: Db): Promise<Finding[]> {
  const { rows } = await sql<Finding>`
    with told as (
      select tenant_id, object_id, sequence,
        payload #>> '{card_status_change,old_status}' as before,
        coalesce(payload #>> '{card_status_change,new_status}', payload ->> 'status') as after
      from events where event in ('SUCCESSFULLY_CREATED', 'CARD_STATUS_CHANGE')
    ), chained as (
      select told.*, lag(after) over of_card as stood, lead(after) over of_card is null as is_last
      from told window of_card as (partition by tenant_id, object_id order by sequence)
    )
    select 'I6' as invariant, c.tenant_id, 'card ' || c.id as subject,
      case when e.object_id is null then 'nothing was reported of it'
        when e.before is distinct from e.stood
          then 'it was reported to leave ' || coalesce(e.before, 'nothing') || ' when it stood at '
            || coalesce(e.stood, 'nothing')
        else 'is ' || c.status || ' and was reported to be ' || e.after end as detail
    from cards c
    left join chained e on e.tenant_id = c.tenant_id and e.object_id = c.id
    where e.object_id is null or e.before is distinct from e.stood
      or (e.is_last and e.after <> c.status)
    limit ${FINDINGS_MAX}`.execute(db)
  return rows
}
