import type { Slice } from '#kit/slice.ts'
import { merchantErrors } from './errors.ts'
import { merchantOperatorRoutes, merchantRoutes } from './routes.ts'

/** What the operator does about merchants: stands with the operator's other operations (D-100). */
export const merchantOperatorSlice: Slice = {
  name: 'merchants of the operator',
  routes: merchantOperatorRoutes,
  errors: merchantErrors,
}

export const merchantsSlice: Slice = { name: 'merchants', routes: merchantRoutes }
