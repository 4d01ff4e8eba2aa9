/** What of a card becomes due, and is noted in `due_work` where a card is written. */

import { sql } from 'kysely'
import { dueKind } from '#kit/jobs/due_work.ts'

/** Of physical cards that are to be embossed. */
export const embossingDue = dueKind({ name: 'embossing', table: 'cards', due: 'emboss_due' })

/** The ends of blocks after wrong attempts. */
export const blocksDue = dueKind({
  name: 'provisioning blocks',
  table: 'cards',
  due: 'provisioning_blocked_until',
  when: sql`d.status_reason_code = 'P0'`,
})
