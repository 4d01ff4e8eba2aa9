/** The end of a hold of an authorization (D-47). */

import { clearedOf, heldOf, type StoredEvent } from '#issuing/transactions/rules.ts'
import { heldPart } from '../money/billing.ts'
import type { OpenTransaction } from '../rows.ts'
import type { WorkingSet } from '../state/working_set.ts'

/** Releases what is held: EXPIRED when nothing was cleared, SETTLED when the rest is released. */
export function expire(workingSet: WorkingSet, open: OpenTransaction): void {
  const { row } = open
  const held = heldOf(row)
  const nothingCleared = clearedOf(row) === 0n
  const event: StoredEvent = {
    type: nothingCleared ? 'EXPIRED' : 'RELEASED',
    status_code: row.status_code,
    amount: String(held),
    created: workingSet.now.toISOString(),
  }
  workingSet.release(open, heldPart(row, held))
  const status = nothingCleared ? 'EXPIRED' : 'SETTLED'
  const kind = nothingCleared ? 'EXPIRED_AUTH' : 'TRANSACTION'
  workingSet.change(open, { status, hold_expires: null }, event, kind)
}
