/** Error codes of tenants, besides the common ones, with their HTTP statuses. */
export const tenantErrors = {
  id_taken: 409,
  /** Two tenants use the same id: the operator must name the tenant (D-213). */
  tenant_ambiguous: 409,
} as const
