import type { Slice } from '#kit/slice.ts'
import { sessionErrors } from './errors.ts'
import { sessionRoutes } from './routes.ts'
import type { SessionTerms } from './sessions.ts'

export const sessionsSlice = (terms: SessionTerms): Slice => ({
  name: 'sessions',
  routes: sessionRoutes(terms),
  errors: sessionErrors,
})
