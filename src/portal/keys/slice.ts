import type { Slice } from '#kit/slice.ts'
import { keyRoutes } from './routes.ts'

export const keysSlice: Slice = { name: 'keys', routes: keyRoutes }
