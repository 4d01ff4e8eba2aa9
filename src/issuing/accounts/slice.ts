import type { Slice } from '#kit/slice.ts'
import { accountRefusals } from './refusals.ts'
import { routes } from './routes.ts'

export const accountsSlice: Slice = { name: 'accounts', routes, refusals: accountRefusals }
