import type { AuditRecord } from './schema.ts'
import type { AuditRecordRow } from './store.ts'

export function presentAuditRecord({
  tenant_id: _,
  actor_kind,
  actor_id,
  digest,
  sequence,
  hash,
  ...row
}: AuditRecordRow): AuditRecord {
  return {
    ...row,
    // A constraint of the table has the same words.
    actor: { kind: actor_kind as AuditRecord['actor']['kind'], id: actor_id },
    digest: digest.toString('hex'),
    ...(sequence !== null && { sequence: Number(sequence) }),
    ...(hash !== null && { hash: hash.toString('hex') }),
  }
}
