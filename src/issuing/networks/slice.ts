import type { Slice } from '#kit/slice.ts'
import type { KnownNetwork } from './asking.ts'
import { networkErrors } from './errors.ts'
import { networkRoutes } from './routes.ts'

/** `known` are the networks of NETWORKS_FILE. */
export const networksSlice = (known: () => readonly KnownNetwork[]): Slice => ({
  name: 'networks',
  routes: networkRoutes(known),
  errors: networkErrors,
})
