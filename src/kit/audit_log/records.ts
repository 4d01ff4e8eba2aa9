/** Audit records, written in the transaction of the change that they are about (D-500). */

import type { Tx } from '#kit/context.ts'
import { recordChanges } from './writing.ts'

/**
 * Records the request of `tx` with its COMMIT, with the ids of the objects that it made. Called
 * once, in the transaction of its effect; the kit does it for routes that run in one transaction.
 */
export function recordChange(tx: Tx, made: readonly unknown[] = [], status?: number): void {
  tx.audited?.made(...made)
  const entry = tx.audited?.entry(status)
  if (!entry) return
  if (tx.changes) tx.changes.push(entry)
  else void tx.withCommit(recordChanges(tx, [entry]))
}
