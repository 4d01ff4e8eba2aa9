import type { Slice } from '#kit/slice.ts'
import { statisticsRoutes } from './routes.ts'

export const statisticsSlice: Slice = { name: 'statistics', routes: statisticsRoutes }
