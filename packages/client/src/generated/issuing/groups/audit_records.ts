/** Records of changes, and of reads of card data. */
import { Group, type RequestOptions } from '../../../core/group.ts'
import type { List } from '../../../core/lists.ts'
import type { ListAuditRecordsItem, ListAuditRecordsQuery } from '../types.ts'

/** Records of changes, and of reads of card data. */
export class AuditRecordsGroup extends Group {
  /**
   * List audit records.
   *
   * Lists the audit records of the tenant, newest first, in pages: one for each change through an
   * API and for each reading of card data, also by the operator. A record is written in the
   * transaction of its change. Seconds later it is chained to the record before it, and has
   * `sequence` and `hash`.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /audit`
   */
  list(query?: ListAuditRecordsQuery, options?: RequestOptions): List<ListAuditRecordsItem> {
    return this.transport.list('GET', '/audit', { query }, options)
  }
}
