/** The hash of a record in the chain of its tenant: SHA-256 over an encoding without ambiguity. */

import { hash } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Database } from '#kit/db/tables.ts'

export type AuditRow = Selectable<Database['audit_records']>
export type Link = Pick<Selectable<Database['audit_chain']>, 'tenant_id' | 'sequence' | 'previous'>

/** The hash that precedes the first record. */
export const NO_HASH = Buffer.alloc(32)

/** Changes with the encoding. */
const FORMAT = 'audit record 1'

/**
 * Each part is preceded by its length in bytes and each list by its count, so that no value can
 * take bytes of another or seem to be one.
 */
export function hashOf({ tenant_id, sequence, previous }: Link, row: AuditRow): Buffer {
  const parts = [
    ...[FORMAT, tenant_id, String(sequence), previous],
    ...[row.tenant_id, row.id, row.operation, row.actor_kind, row.actor_id, row.address],
    ...[String(row.object_ids.length), ...row.object_ids],
    ...[String(row.members.length), ...row.members],
    ...[String(row.status), row.request_id, row.digest],
    ...[String(row.created.getTime()), String(row.recorded.getTime())],
  ]
  return hash('sha256', encode(parts), 'buffer')
}

function encode(parts: readonly (string | Buffer)[]): Buffer {
  const lengths = parts.map((part) => Buffer.byteLength(part))
  const bytes = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + 4 + length, 0))
  let at = 0
  for (const [place, part] of parts.entries()) {
    const length = lengths[place] ?? 0
    at = bytes.writeUInt32BE(length, at)
    if (typeof part === 'string') bytes.write(part, at)
    else part.copy(bytes, at)
    at += length
  }
  return bytes
}
