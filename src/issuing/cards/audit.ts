/** The invariant of cards (I6), checked over a whole database. */

import { sql } from 'kysely'
import { FINDINGS_MAX, type Finding } from '#kit/audit.ts'
import type { Db } from '#kit/db/database.ts'
import { isComplete } from '#kit/db/partitions/partitions.ts'

/**
 * Every change of status was reported once: each report begins with the status in which the one
 * before it ended, and the last ends with the status of the card. Empty when the invariant holds.
 * Once old events were dropped, nothing is claimed of what came before those that are left.
 */
export async function auditCards(db: Db): Promise<Finding[]> {
  const complete = await isComplete(db, 'events')
  const { rows } = await sql<Finding>`
    with reported as (
      select tenant_id, object_id, sequence,
        payload #>> '{card_status_change,old_status}' as before,
        coalesce(payload #>> '{card_status_change,new_status}', payload ->> 'status') as after
      from events where event in ('SUCCESSFULLY_CREATED', 'CARD_STATUS_CHANGE')
    ), chained as (
      select reported.*, lag(after) over of_card as previous,
        lead(after) over of_card is null as is_last
      from reported window of_card as (partition by tenant_id, object_id order by sequence)
    )
    select 'I6' as invariant, c.tenant_id, 'card ' || c.id as subject,
      case when e.object_id is null then 'has no report'
        when e.before is distinct from e.previous
          then 'it was reported to leave ' || coalesce(e.before, 'nothing') || ' when it was '
            || coalesce(e.previous, 'nothing')
        else 'is ' || c.status || ' and was reported to be ' || e.after end as detail
    from cards c
    left join chained e on e.tenant_id = c.tenant_id and e.object_id = c.id
    where (${complete} and e.object_id is null)
      or (e.before is distinct from e.previous and (${complete} or e.previous is not null))
      or (e.is_last and e.after <> c.status)
    limit ${FINDINGS_MAX}`.execute(db)
  return rows
}
