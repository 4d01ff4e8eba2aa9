import type { Authorizer } from '#issuing/authorization/authorization.ts'
import type { Slice } from '#kit/slice.ts'
import { clearingErrors } from './errors.ts'
import { exportRoutes } from './outgoing/routes.ts'
import { clearingRoutes } from './routes.ts'
import { clearingImports, clearingPosting } from './sweeps.ts'
import { type Watching, watchingPlaces } from './watched/watching.ts'

export const clearingsSlice = (engine: Authorizer, watching: Watching): Slice => ({
  name: 'clearings',
  routes: [...clearingRoutes, ...exportRoutes],
  errors: clearingErrors,
  sweeps: [
    clearingPosting(engine),
    clearingImports,
    ...(watching.places.length > 0 ? [watchingPlaces(watching)] : []),
  ],
})
