import type { Slice } from '#kit/slice.ts'
import { processRoutes } from './routes.ts'

export const processesSlice: Slice = { name: 'processes', routes: processRoutes }
