import type { Slice } from '#kit/slice.ts'
import { userRefusals } from './refusals.ts'
import { userRoutes } from './routes.ts'

export const usersSlice: Slice = { name: 'users', routes: userRoutes, refusals: userRefusals }
