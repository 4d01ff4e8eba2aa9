import type { Slice } from '#kit/slice.ts'
import { challengeErrors } from './errors.ts'
import { challengeEvents } from './events.ts'
import type { Messenger } from './provider.ts'
import { challengeRoutes } from './routes.ts'

export const challengesSlice = (messenger: Messenger): Slice => ({
  name: 'challenges',
  routes: challengeRoutes(messenger),
  errors: challengeErrors,
  events: challengeEvents,
})
