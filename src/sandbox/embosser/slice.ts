import type { Slice } from '#kit/slice.ts'
import { embosserRoutes } from './routes.ts'

export const simulatedEmbosserSlice: Slice = { name: 'simulated embosser', routes: embosserRoutes }
