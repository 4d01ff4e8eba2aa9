import type { Slice } from '#kit/slice.ts'
import { accountErrors } from './errors.ts'
import { accountEvents } from './events.ts'
import { routes } from './routes.ts'

export const accountsSlice: Slice = {
  name: 'accounts',
  routes,
  errors: accountErrors,
  events: accountEvents,
}
