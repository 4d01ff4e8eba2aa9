import type { Slice } from '#kit/slice.ts'
import { payoutErrors } from './errors.ts'
import { payoutEvents } from './events.ts'
import { payoutOperatorRoutes, payoutRoutes } from './routes.ts'
import { payoutSweeps } from './sweeps.ts'

export const payoutsSlice: Slice = {
  name: 'payouts',
  routes: payoutRoutes,
  events: payoutEvents,
  sweeps: payoutSweeps,
}

/** The operator's operations on payouts, mounted with the other operator routes (D-100). */
export const payoutOperatorSlice: Slice = {
  name: 'payouts of the operator',
  routes: payoutOperatorRoutes,
  errors: payoutErrors,
}
