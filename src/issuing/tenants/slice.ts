import type { Slice } from '#kit/slice.ts'
import { tenantErrors } from './errors.ts'
import { tenantRoutes } from './routes.ts'

export const tenantsSlice: Slice = {
  name: 'tenants',
  routes: tenantRoutes,
  errors: tenantErrors,
}
