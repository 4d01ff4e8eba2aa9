import { tenantErrors } from '#issuing/tenants/tenants.ts'
import type { Slice } from '#kit/slice.ts'
import { keyRoutes } from './routes.ts'

const { too_many_keys } = tenantErrors

export const keysSlice: Slice = { name: 'keys', routes: keyRoutes, errors: { too_many_keys } }
