import type { Slice } from '#kit/slice.ts'
import { settlementRoutes } from './routes.ts'

/** Mounted with the other operator routes. */
export const settlementSlice: Slice = { name: 'settlement', routes: settlementRoutes }
