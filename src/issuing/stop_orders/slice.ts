import type { Slice } from '#kit/slice.ts'
import { stopOrderErrors } from './errors.ts'
import { stopOrderRoutes } from './routes.ts'

export const stopOrdersSlice: Slice = {
  name: 'stop_orders',
  routes: stopOrderRoutes,
  errors: stopOrderErrors,
}
