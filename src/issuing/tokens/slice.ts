import type { Slice } from '#kit/slice.ts'
import { tokenErrors } from './errors.ts'
import { tokenEvents } from './events.ts'
import { tokenReactions } from './reactions.ts'
import { tokenRoutes } from './routes.ts'

export const tokensSlice: Slice = {
  name: 'tokens',
  routes: tokenRoutes,
  errors: tokenErrors,
  events: tokenEvents,
  reactions: tokenReactions,
}
