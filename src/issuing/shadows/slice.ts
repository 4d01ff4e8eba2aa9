import type { Slice } from '#kit/slice.ts'
import { shadowRoutes } from './routes.ts'

export const shadowsSlice: Slice = { name: 'shadows', routes: shadowRoutes }
