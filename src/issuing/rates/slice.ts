import type { Slice } from '#kit/slice.ts'
import { rateRoutes } from './routes.ts'

export const ratesSlice: Slice = { name: 'rates', routes: rateRoutes }
