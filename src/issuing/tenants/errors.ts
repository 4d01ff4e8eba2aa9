/** Every way this slice says no beside the kit's own, and the HTTP status that carries it. */
export const tenantErrors = {
  id_taken: 409,
  /** Two tenants use the same id: the operator must name the tenant (D-213). */
  tenant_ambiguous: 409,
} as const
