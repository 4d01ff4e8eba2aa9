import type { Slice } from '#kit/slice.ts'
import { secondFactorErrors } from './errors.ts'
import { type FactorParts, secondFactorRoutes } from './routes.ts'

export const secondFactorsSlice = (parts: FactorParts): Slice => ({
  name: 'second_factors',
  routes: secondFactorRoutes(parts),
  errors: secondFactorErrors,
})
