import type { Slice } from '#kit/slice.ts'
import { merchantOperatorRoutes, merchantRoutes } from './routes.ts'

export { merchantOperatorRoutes }

export const merchantsSlice: Slice = { name: 'merchants', routes: merchantRoutes }
