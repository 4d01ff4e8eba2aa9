import type { Authorizer } from '#issuing/authorization/authorization.ts'
import type { Slice } from '#kit/slice.ts'
import { networkRoutes } from './routes.ts'

export const simulatedNetworkSlice = (engine: Authorizer): Slice => ({
  name: 'simulated network',
  routes: networkRoutes(engine),
})
