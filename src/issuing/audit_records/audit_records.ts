/** Public functions of audit records (D-500): their list, and the audit of their chains. */

import type { Context } from '#kit/context.ts'
import { listPage } from '#kit/http/lists.ts'
import type { Page } from '#lib/paging.ts'
import type { AuditQuery } from './schema.ts'
import { type AuditRecordRow, listAuditRecordRows } from './store.ts'

export { auditChains } from './chain/verifying.ts'

/** The records of a tenant, newest first; the operator's own for NO_TENANT. */
export function listAuditRecords(
  ctx: Context,
  tenant_id: string,
  query: AuditQuery,
): Promise<Page<AuditRecordRow>> {
  return listPage('audit_records', query, (range) =>
    listAuditRecordRows(ctx, tenant_id, query, range),
  )
}
