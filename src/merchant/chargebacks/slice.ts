import type { Slice } from '#kit/slice.ts'
import { chargebackErrors, chargebackFileErrors, chargebackOperatorErrors } from './errors.ts'
import { chargebackEvents } from './events.ts'
import { chargebackFileRoutes } from './file_routes.ts'
import type { EvidenceStore } from './provider.ts'
import { chargebackOperatorRoutes, chargebackRoutes } from './routes.ts'
import { chargebackSweeps } from './sweeps.ts'

export const chargebacksSlice = (store: EvidenceStore): Slice => ({
  name: 'chargebacks',
  routes: [...chargebackRoutes, ...chargebackFileRoutes(store)],
  errors: { ...chargebackErrors, ...chargebackFileErrors },
  events: chargebackEvents,
  sweeps: [...chargebackSweeps, store.held],
})

/** The operator's operations on chargebacks, mounted with the other operator routes (D-100). */
export const chargebackOperatorSlice: Slice = {
  name: 'chargebacks of the operator',
  routes: chargebackOperatorRoutes,
  errors: { ...chargebackErrors, ...chargebackOperatorErrors },
}
