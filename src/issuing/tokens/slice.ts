import type { Slice } from '#kit/slice.ts'
import { tokenReactions } from './reactions.ts'
import { tokenRefusals } from './refusals.ts'
import { tokenRoutes } from './routes.ts'

export const tokensSlice: Slice = {
  name: 'tokens',
  routes: tokenRoutes,
  refusals: tokenRefusals,
  reactions: tokenReactions,
}
