import type { Slice } from '#kit/slice.ts'
import { reconciliationErrors } from './errors.ts'
import { reconciliationRoutes } from './routes.ts'

/** Mounted with the other operator routes; it reads what both API modules have written (D-715). */
export const reconciliationSlice = (ownIssuer: () => boolean): Slice => ({
  name: 'reconciliation',
  routes: reconciliationRoutes(ownIssuer),
  errors: reconciliationErrors,
})
