/**
 * The operator's statement of a message whose outcome the program cannot learn by itself (D-960).
 */

import { sql } from 'kysely'
import type { Tx } from '#kit/context.ts'
import { hasStoredCard } from './store.ts'

/**
 * Gives a message that waits the outcome that its issuer states, and sends no reversal of it any
 * more. A message that did not take effect counts as reversed if a reversal was under way.
 */
export async function endMessage(
  tx: Tx,
  id: string,
  { approved, note }: { approved: boolean; note: string },
): Promise<void> {
  const { db, tenant_id, now } = tx
  await sql`
    update acquirer_messages set due = null, modified = ${now}, ended_note = ${note}, status = case
      when ${approved}::boolean then 'APPROVED' when status = 'REVERSING' then 'REVERSED'
      else 'DECLINED' end
    where tenant_id = ${tenant_id} and id = ${id} and status in ('PENDING', 'REVERSING')`.execute(
    db,
  )
  await sql`
    update acquirer_messages set due = null, modified = ${now},
      status = ${approved ? 'UNSENT' : 'APPROVED'}
    where tenant_id = ${tenant_id} and reverses = ${id} and status = 'PENDING'`.execute(db)
}

/** Hours after which a payment without an outcome is for a person to end. */
export const STUCK_HOURS = 24

/**
 * Whether message `m` of tenant `t` comes to no outcome by itself: its card is not stored, so that
 * nothing more can be sent, or its issuer has not answered for so long.
 */
export const isStuck = (now: ReturnType<typeof sql<Date>>) => sql<boolean>`(
  m.created < ${now} - ${STUCK_HOURS}::int * interval '1 hour'
  or not ${hasStoredCard})`
