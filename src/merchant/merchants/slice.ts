import type { Slice } from '#kit/slice.ts'
import { merchantOperatorRoutes, merchantRoutes } from './routes.ts'

/** The operator's operations on merchants, mounted with the other operator routes (D-100). */
export const merchantOperatorSlice = (issuers: () => readonly string[]): Slice => ({
  name: 'merchants of the operator',
  routes: merchantOperatorRoutes(issuers),
})

export const merchantsSlice: Slice = { name: 'merchants', routes: merchantRoutes }
