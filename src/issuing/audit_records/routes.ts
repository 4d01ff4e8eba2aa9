import type { Context } from '#kit/context.ts'
import { NO_TENANT } from '#kit/http/callers/callers.ts'
import { route } from '#kit/http/route.ts'
import { ListOf } from '#kit/http/schema.ts'
import { listAuditRecords } from './audit_records.ts'
import { presentAuditRecord } from './present.ts'
import { AuditQuery, AuditRecord, OperatorAuditQuery } from './schema.ts'

export const auditRecordRoutes = [
  route({
    id: 'listAuditRecords',
    tag: 'Audit records',
    description:
      'Lists the audit records of the tenant, newest first, in pages: one for each change ' +
      'through an API and for each reading of card data, also by the operator. A record is ' +
      'written in the transaction of its change. Seconds later it is chained to the record ' +
      'before it, and has `sequence` and `hash`.',
    method: 'GET',
    path: '/audit',
    permission: 'read',
    summary: 'List audit records',
    query: AuditQuery,
    answer: ListOf(AuditRecord),
    run: (ctx, { query }) => pageFor(ctx, ctx.tenant_id, query),
  }),
  route({
    id: 'listAuditRecordsAsOperator',
    tag: 'Operator',
    description:
      'Lists the audit records of a tenant, newest first, in pages; without `tenant_id` those of ' +
      'actions of the operator that are about no tenant.',
    method: 'GET',
    path: '/operator/audit',
    permission: 'operator',
    summary: 'List audit records of any tenant',
    query: OperatorAuditQuery,
    answer: ListOf(AuditRecord),
    run: (ctx, { query }) => pageFor(ctx, query.tenant_id ?? NO_TENANT, query),
  }),
]

async function pageFor(ctx: Context, tenant_id: string, query: AuditQuery) {
  const page = await listAuditRecords(ctx, tenant_id, query)
  return { ...page, data: page.data.map(presentAuditRecord) }
}
