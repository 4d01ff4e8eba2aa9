import type { Slice } from '#kit/slice.ts'
import { cardErrors } from './errors.ts'
import { cardEvents } from './events.ts'
import { cardRoutes } from './routes.ts'
import { cardSweeps } from './sweeps.ts'

export const cardsSlice: Slice = {
  name: 'cards',
  routes: cardRoutes,
  errors: cardErrors,
  events: cardEvents,
  sweeps: cardSweeps,
}
