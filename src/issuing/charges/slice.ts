import type { Slice } from '#kit/slice.ts'
import { chargeEvents } from './events.ts'
import { chargeRoutes } from './routes.ts'
import { chargeSweeps } from './sweeps.ts'

export const chargesSlice: Slice = {
  name: 'charges',
  routes: chargeRoutes,
  events: chargeEvents,
  sweeps: chargeSweeps,
}
