import type { Slice } from '#kit/slice.ts'
import { registrationErrors } from './errors.ts'
import { registrationRoutes } from './routes.ts'

/** `signUp` is asked with each request. */
export const registrationsSlice = (signUp: () => 'open' | 'invited'): Slice => ({
  name: 'registrations',
  routes: registrationRoutes(signUp),
  errors: registrationErrors,
})
