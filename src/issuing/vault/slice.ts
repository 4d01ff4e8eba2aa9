import type { Slice } from '#kit/slice.ts'
import { vaultErrors } from './errors.ts'
import { vaultRoutes } from './routes.ts'

export const vaultSlice: Slice = { name: 'vault', routes: vaultRoutes, errors: vaultErrors }
