import type { Slice } from '#kit/slice.ts'
import { registrationErrors } from './errors.ts'
import type { SignUp } from './registrations.ts'
import { registrationRoutes } from './routes.ts'

/** `signUp` is called with each request. */
export const registrationsSlice = (parts: SignUp): Slice => ({
  name: 'registrations',
  routes: registrationRoutes(parts),
  errors: registrationErrors,
})
