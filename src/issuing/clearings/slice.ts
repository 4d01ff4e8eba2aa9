import type { Authorizer } from '#issuing/authorization/authorization.ts'
import type { Slice } from '#kit/slice.ts'
import { clearingErrors } from './errors.ts'
import { exportRoutes } from './outgoing/routes.ts'
import { clearingRoutes } from './routes.ts'
import { clearingPosting } from './sweeps.ts'

export const clearingsSlice = (engine: Authorizer): Slice => ({
  name: 'clearings',
  routes: [...clearingRoutes, ...exportRoutes],
  errors: clearingErrors,
  sweeps: [clearingPosting(engine)],
})
