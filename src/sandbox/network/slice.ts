import type { Authorizer } from '#issuing/authorization/authorization.ts'
import type { Slice } from '#kit/slice.ts'
import { networkRoutes } from './routes.ts'
import type { WireRecorder } from './wire_record.ts'

export const simulatedNetworkSlice = (
  engine: Authorizer,
  recorder: WireRecorder | null,
): Slice => ({
  name: 'simulated network',
  routes: networkRoutes(engine, recorder),
})
