import type { Slice } from '#kit/slice.ts'
import { searchRoutes } from './routes.ts'

export const searchSlice: Slice = { name: 'search', routes: searchRoutes }
