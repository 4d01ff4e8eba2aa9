import type { Slice } from '#kit/slice.ts'
import { clockErrors } from './errors.ts'
import { clockRoutes } from './routes.ts'

export const clockSlice: Slice = {
  name: 'clock',
  routes: clockRoutes,
  errors: clockErrors,
}
