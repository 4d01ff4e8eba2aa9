/** The waiting work of events: to get a number of the feed, and to be delivered. */

import { sql } from 'kysely'
import type { Backlog } from '#kit/jobs/backlogs.ts'

export const webhookBacklogs: readonly Backlog[] = [
  {
    queue: 'events',
    rows: (reached) => sql`
      select created as since from events
      where place is not null${reached('and', 'tenant_id')} order by tenant_id, place`,
  },
  {
    // Includes deliveries whose next attempt is hours away, because their endpoint fails.
    queue: 'deliveries',
    rows: (reached) => sql`
      select null::timestamptz as since from deliveries
      where status in ('PENDING', 'RETRYING')${reached('and', 'tenant_id')}
      order by webhook_id, due`,
  },
]
