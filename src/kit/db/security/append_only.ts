/** Tables whose rows the program's own role inserts and reads, and never changes or deletes. */
export const APPEND_ONLY_TABLES: readonly string[] = [
  'audit_chain',
  'audit_records',
  'tenant_anchors',
]
