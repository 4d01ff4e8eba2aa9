/** The due work of a card, noted in `due_work` by the statements that write cards. */

import { sql } from 'kysely'
import { dueKind } from '#kit/jobs/due_work.ts'

/** Physical cards that are to be ordered from a bureau. */
export const embossingDue = dueKind({ name: 'embossing', table: 'cards', due: 'emboss_due' })

/** The ends of blocks after wrong attempts. */
export const blocksDue = dueKind({
  name: 'provisioning blocks',
  table: 'cards',
  due: 'provisioning_blocked_until',
  when: sql`d.status_reason_code = 'P0'`,
})
