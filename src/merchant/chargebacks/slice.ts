import type { Slice } from '#kit/slice.ts'
import { chargebackErrors, chargebackOperatorErrors } from './errors.ts'
import { chargebackEvents } from './events.ts'
import { chargebackOperatorRoutes, chargebackRoutes } from './routes.ts'
import { chargebackSweeps } from './sweeps.ts'

export const chargebacksSlice: Slice = {
  name: 'chargebacks',
  routes: chargebackRoutes,
  errors: chargebackErrors,
  events: chargebackEvents,
  sweeps: chargebackSweeps,
}

/** The operator's operations on chargebacks, mounted with the other operator routes (D-100). */
export const chargebackOperatorSlice: Slice = {
  name: 'chargebacks of the operator',
  routes: chargebackOperatorRoutes,
  errors: { ...chargebackErrors, ...chargebackOperatorErrors },
}
