/** Audit records, written in the transaction of the change that they are about (D-500). */

import { createHash } from 'node:crypto'
import type { Tx } from '#kit/context.ts'
import { newId } from '#lib/id.ts'
import type { AuditEntry } from './request.ts'
import { recordChanges } from './writing.ts'

/**
 * Records the request of `tx` with its COMMIT, with the ids of the objects that it made. Called
 * once, in the transaction of its effect; the kit does it for routes that run in one transaction.
 */
export function recordChange(tx: Tx, made: readonly unknown[] = [], status?: number): void {
  tx.audited?.made(...made)
  const entry = tx.audited?.entry(status)
  if (entry) write(tx, entry)
}

type OwnChange = {
  /** The operation that a caller would have asked for. */
  operation: string
  object_id: string
  /** Names and values of what was said, of which the names alone are kept. */
  said: Readonly<Record<string, string>>
}

const SUCCESS = 200

/**
 * A change that is named by the record of the request, or that has a record of its own where no
 * request asked for it: the card network did, or the time has come (D-1351).
 */
export function recordOwnChange(tx: Tx, { operation, object_id, said }: OwnChange): void {
  if (tx.audited) {
    tx.audited.made(object_id)
    return
  }
  const { tenant_id, now, actor } = tx
  const digest = createHash('sha256')
    .update(JSON.stringify([operation, object_id, said]))
    .digest()
  const of = { tenant_id, now, actor, operation, digest, object_ids: [object_id] }
  const members = Object.keys(said)
  write(tx, { ...of, members, request_id: newId(), address: '', status: SUCCESS })
}

function write(tx: Tx, entry: AuditEntry): void {
  if (tx.changes) tx.changes.push(entry)
  else void tx.withCommit(recordChanges(tx, [entry]))
}
