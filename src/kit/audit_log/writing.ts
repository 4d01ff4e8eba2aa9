/** Audit records as a transaction writes them, with its COMMIT (D-500). */

import { sql } from 'kysely'
import { databaseNow } from '#kit/clock.ts'
import { bytesArray, instantArray, plainArray, textArray } from '#kit/db/arrays.ts'
import type { Db } from '#kit/db/database.ts'
import { portionsOf, valuesOf } from '#kit/db/portions.ts'
import { Write } from '#kit/db/write.ts'
import { newId } from '#lib/id.ts'
import type { AuditEntry } from './request.ts'

/** The channel that wakes the chaining of a tenant's records. */
export const AUDIT_RECORDS = 'audit records'

type Writer = {
  db: Db
  notify: (channel: string, tenant_id?: string) => void
  afterCommit: (action: () => void) => void
}

/** Records several requests together, for those that share a transaction. */
export function recordChanges(
  { db, notify, afterCommit }: Writer,
  entries: readonly AuditEntry[],
): Write {
  const ofTenants = Map.groupBy(entries, ({ tenant_id }) => tenant_id)
  for (const tenant_id of ofTenants.keys()) afterCommit(() => notify(AUDIT_RECORDS, tenant_id))
  return Write.all(db, ...[...ofTenants].map((of) => insertRecords(db, ...of)))
}

/** The records, and their places among those that wait for the chain; all of one tenant. */
function insertRecords(db: Db, tenant_id: string, entries: readonly AuditEntry[]): Write {
  const texts = (of: (entry: AuditEntry) => string) => textArray(entries.map(of))
  const ids = entries.map(() => newId())
  const queued = portionsOf(ids).map(
    (portion) => sql`
      insert into audit_pending (tenant_id, record_id)
      ${valuesOf(portion.map((id) => [tenant_id, id]))}`,
  )
  const written = sql`
    insert into audit_records (tenant_id, id, operation, actor_kind, actor_id, address, object_ids,
      members, status, request_id, digest, created, recorded)
    select anchor.tenant_id, g.id, g.operation, g.actor_kind, g.actor_id, g.address,
      g.object_ids::uuid[], g.members::text[], g.status, g.request_id, g.digest, g.created,
      ${databaseNow}
    from tenant_anchors anchor cross join unnest(
      ${plainArray(ids)}::uuid[],
      ${texts(({ operation }) => operation)}::text[],
      ${texts(({ actor }) => actor.kind)}::text[],
      ${texts(({ actor }) => actor.id)}::text[],
      ${texts(({ address }) => address)}::text[],
      ${texts(({ object_ids }) => plainArray(object_ids))}::text[],
      ${texts(({ members }) => plainArray(members))}::text[],
      ${plainArray(entries.map(({ status }) => status))}::int[],
      ${plainArray(entries.map(({ request_id }) => request_id))}::uuid[],
      ${bytesArray(entries.map(({ digest }) => digest))}::bytea[],
      ${instantArray(entries.map(({ now }) => now))}::timestamptz[]
    ) as g (id, operation, actor_kind, actor_id, address, object_ids, members, status,
      request_id, digest, created)
    where anchor.tenant_id = ${tenant_id}`
  return Write.of(db, ...queued, written)
}
