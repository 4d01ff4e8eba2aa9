import type { Slice } from '#kit/slice.ts'
import { tenantRefusals } from './refusals.ts'
import { tenantRoutes } from './routes.ts'

export const tenantsSlice: Slice = {
  name: 'tenants',
  routes: tenantRoutes,
  refusals: tenantRefusals,
}
