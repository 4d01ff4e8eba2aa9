import type { Slice } from '#kit/slice.ts'
import { stuckErrors } from './errors.ts'
import { stuckRoutes } from './routes.ts'

/** Mounted with the other operator routes; it reads what both API modules have written (D-960). */
export const stuckSlice = (ownIssuer: () => boolean): Slice => ({
  name: 'stuck payments',
  routes: stuckRoutes(ownIssuer),
  errors: stuckErrors,
})
