import type { Slice } from '#kit/slice.ts'
import { keptCardRoutes } from './routes.ts'

export const keptCardsSlice: Slice = { name: 'kept cards', routes: keptCardRoutes }
