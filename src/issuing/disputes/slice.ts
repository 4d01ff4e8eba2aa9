import type { Slice } from '#kit/slice.ts'
import { disputeErrors } from './errors.ts'
import { disputeEvents } from './events.ts'
import { disputeRoutes } from './routes.ts'
import { disputeSweeps } from './sweeps.ts'

export const disputesSlice: Slice = {
  name: 'disputes',
  routes: disputeRoutes,
  errors: disputeErrors,
  events: disputeEvents,
  sweeps: disputeSweeps,
}
