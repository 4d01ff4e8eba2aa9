import type { Slice } from '#kit/slice.ts'
import { merchantOperatorRoutes, merchantRoutes } from './routes.ts'

/** The operator's operations on merchants, mounted with the other operator routes (D-100). */
export const merchantOperatorSlice: Slice = {
  name: 'merchants of the operator',
  routes: merchantOperatorRoutes,
}

export const merchantsSlice: Slice = { name: 'merchants', routes: merchantRoutes }
