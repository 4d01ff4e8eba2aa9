import type { Slice } from '#kit/slice.ts'
import { listRoutes } from './routes.ts'

export const listsSlice: Slice = { name: 'lists', routes: listRoutes }
