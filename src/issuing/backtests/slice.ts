import type { Slice } from '#kit/slice.ts'
import { backtestErrors } from './errors.ts'
import { backtestRoutes } from './routes.ts'
import { backtesting } from './sweeps.ts'

export const backtestsSlice = (): Slice => ({
  name: 'backtests',
  routes: backtestRoutes,
  errors: backtestErrors,
  sweeps: [backtesting()],
})
