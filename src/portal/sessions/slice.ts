import type { Role } from '#kit/http/callers/roles.ts'
import type { Slice } from '#kit/slice.ts'
import { sessionErrors } from './errors.ts'
import { sessionRoutes } from './routes.ts'

/** `operationsOf` lists what a role may call, over all APIs. */
export const sessionsSlice = (operationsOf: (role: Role) => readonly string[]): Slice => ({
  name: 'sessions',
  routes: sessionRoutes(operationsOf),
  errors: sessionErrors,
})
