import type { Slice } from '#kit/slice.ts'
import { chipRoutes } from './routes.ts'

export const chipsSlice: Slice = { name: 'chips', routes: chipRoutes }
