/** Each change of the factors is mailed to their person (D-1001). */

import type { Tx } from '#kit/context.ts'
import { type Outbox, queueMail, templates } from '#portal/mails/mails.ts'
import { findCredentials } from './store.ts'

/** The mail is valid as long as the member may look for the cause of a change. */
const VALID_MS = 24 * 60 * 60_000

/** Queues the mail in the transaction of the change. It comes however many there were before it. */
export async function mailFactors(
  tx: Tx,
  outbox: Outbox,
  person_id: string,
  change: templates.FactorChange,
): Promise<void> {
  const person = await findCredentials(tx, person_id)
  if (!person) return
  const message = templates.factorsChanged(change)
  await queueMail(tx, outbox, { to: person.email, message, valid_ms: VALID_MS, is_capped: false })
}
