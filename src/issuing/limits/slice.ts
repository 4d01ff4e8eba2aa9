import type { Slice } from '#kit/slice.ts'
import { limitErrors } from './errors.ts'
import { limitRoutes } from './routes.ts'

export const limitsSlice: Slice = { name: 'limits', routes: limitRoutes, errors: limitErrors }
