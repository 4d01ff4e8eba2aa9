import type { Slice } from '#kit/slice.ts'
import { userErrors } from './errors.ts'
import { userEvents } from './events.ts'
import { userRoutes } from './routes.ts'

export const usersSlice: Slice = {
  name: 'users',
  routes: userRoutes,
  errors: userErrors,
  events: userEvents,
}
