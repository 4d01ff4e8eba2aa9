import type { Slice } from '#kit/slice.ts'
import { bulkErrors } from './errors.ts'
import { bulkRoutes } from './routes.ts'
import { bulkIssuance } from './sweeps.ts'

export const bulkSlice: Slice = {
  name: 'bulk',
  routes: bulkRoutes,
  errors: bulkErrors,
  sweeps: [bulkIssuance],
}
