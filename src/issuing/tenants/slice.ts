import type { Slice } from '#kit/slice.ts'
import { tenantErrors } from './refusals.ts'
import { tenantRoutes } from './routes.ts'

export const tenantsSlice: Slice = {
  name: 'tenants',
  routes: tenantRoutes,
  errors: tenantErrors,
}
