import type { Slice } from '#kit/slice.ts'
import { pinErrors } from './errors.ts'
import { pinEvents } from './events.ts'
import { pinRoutes } from './routes.ts'

export const pinsSlice: Slice = {
  name: 'pins',
  routes: pinRoutes,
  errors: pinErrors,
  events: pinEvents,
}
