import type { Slice } from '#kit/slice.ts'
import { secondFactorErrors } from './errors.ts'
import { secondFactorRoutes } from './routes.ts'

/** `issuer` is the name that an authenticator app shows. */
export const secondFactorsSlice = (issuer: string): Slice => ({
  name: 'second_factors',
  routes: secondFactorRoutes(issuer),
  errors: secondFactorErrors,
})
