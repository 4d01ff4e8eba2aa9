import type { ErrorCatalogue } from '#kit/errors.ts'
import type { CodesOf } from '#lib/result.ts'

export const tenantErrors = {
  /** Two tenants use the same id: the operator must name the tenant (D-213). */
  tenant_ambiguous: {
    status: 409,
    detail: 'Two tenants use this id; name the tenant with `tenant_id`.',
  },
} as const satisfies ErrorCatalogue

declare module '#lib/result.ts' {
  interface KnownErrors extends CodesOf<typeof tenantErrors> {}
}
