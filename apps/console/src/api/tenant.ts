/** The tenant of a call, which members of the operator's team name (D-576). */

/** Headers of a call about a tenant; none where the member belongs to the tenant. */
export const aboutTenant = (tenant_id: string | undefined): Record<string, string> =>
  tenant_id === undefined ? {} : { 'x-bezant-tenant': tenant_id }
