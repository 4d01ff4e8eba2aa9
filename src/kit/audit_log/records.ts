/** Audit records, written in the transaction of the change that they are about (D-500). */

import { sql } from 'kysely'
import { databaseNow } from '#kit/clock.ts'
import type { Context, Tx } from '#kit/context.ts'
import { bytesArray, instantArray, plainArray, textArray } from '#kit/db/arrays.ts'
import { newId } from '#lib/id.ts'
import type { AuditEntry, AuditedRequest } from './request.ts'

/**
 * Records the request of `tx` with its COMMIT, with the ids of what it made. Called once, in the
 * transaction of its effect; the kit does it for routes that run in one transaction.
 */
export function recordChange(tx: Tx, made: readonly unknown[] = [], status?: number): void {
  const { audited } = tx
  audited?.made(...made)
  if (audited) tx.withCommit(recordChanges(tx, [audited], status))
}

/** Records several requests of one tenant in one statement, for those that share a transaction. */
export async function recordChanges(
  { db }: Pick<Context, 'db'>,
  requests: readonly (AuditedRequest | undefined)[],
  status?: number,
): Promise<void> {
  const entries = requests.flatMap((request) => request?.entry(status) ?? [])
  if (entries.length > 0) await insertRecords(db, entries)
}

/** The record and its place among those that wait for the chain, in one statement. */
async function insertRecords(db: Context['db'], entries: readonly AuditEntry[]): Promise<void> {
  const texts = (of: (entry: AuditEntry) => string) => textArray(entries.map(of))
  await sql`
    with given as materialized (
      select * from unnest(
        ${plainArray(entries.map(({ tenant_id }) => tenant_id))}::uuid[],
        ${plainArray(entries.map(() => newId()))}::uuid[],
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
      ) as g (tenant_id, id, operation, actor_kind, actor_id, address, object_ids, members,
        status, request_id, digest, created)
    ), queued as (
      insert into audit_pending (tenant_id, record_id) select tenant_id, id from given
    )
    insert into audit_records (tenant_id, id, operation, actor_kind, actor_id, address, object_ids,
      members, status, request_id, digest, created, recorded)
    select tenant_id, id, operation, actor_kind, actor_id, address, object_ids::uuid[],
      members::text[], status, request_id, digest, created, ${databaseNow}
    from given`.execute(db)
}
