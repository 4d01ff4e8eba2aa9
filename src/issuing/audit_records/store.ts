import { type Selectable, sql } from 'kysely'
import type { Context } from '#kit/context.ts'
import type { Database } from '#kit/db/tables.ts'
import { type PageRange, selectRange } from '#kit/http/lists.ts'
import type { AuditQuery } from './schema.ts'

export type AuditRecordRow = Selectable<Database['audit_records']> & {
  sequence: bigint | null
  hash: Buffer | null
}

/** The records of a tenant with their places in the chain, newest first. */
export function listAuditRecordRows(
  { db }: Context,
  tenant_id: string,
  { object_id, actor_id, operation, from, to }: AuditQuery,
  range: PageRange,
): Promise<AuditRecordRow[]> {
  const query = db
    .selectFrom('audit_records as r')
    .leftJoin('audit_chain as c', (join) =>
      join.onRef('c.tenant_id', '=', 'r.tenant_id').onRef('c.record_id', '=', 'r.id'),
    )
    .selectAll('r')
    .select(['c.sequence', 'c.hash'])
    .where('r.tenant_id', '=', tenant_id)
    .$if(object_id !== undefined, (q) =>
      q.where(sql<boolean>`r.object_ids @> array[${object_id}]::uuid[]`),
    )
    .$if(actor_id !== undefined, (q) => q.where('r.actor_id', '=', actor_id ?? ''))
    .$if(operation !== undefined, (q) => q.where('r.operation', '=', operation ?? ''))
    .$if(from !== undefined, (q) => q.where('r.created', '>=', from ?? new Date(0)))
    .$if(to !== undefined, (q) => q.where('r.created', '<', to ?? new Date(0)))
  return selectRange(query, range, { by: 'r.created', id: 'r.id' }).execute()
}
