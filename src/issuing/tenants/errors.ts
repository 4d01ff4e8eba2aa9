import type { ErrorCatalogue } from '#kit/errors.ts'
import type { CodesOf } from '#lib/result.ts'

export const tenantErrors = {
  /** Two tenants use the same id: the operator must name the tenant (D-213). */
  tenant_ambiguous: {
    status: 409,
    detail: 'Two tenants use this id; name the tenant with `tenant_id`.',
  },
  /** D-1005. */
  storage_full: {
    status: 409,
    detail: 'The files of the tenant may not have so many bytes together.',
  },
  too_many_keys: { status: 409, detail: 'The tenant has as many API keys as it may have.' },
} as const satisfies ErrorCatalogue

declare module '#lib/result.ts' {
  interface KnownErrors extends CodesOf<typeof tenantErrors> {}
}
