import type { Slice } from '#kit/slice.ts'
import { identificationErrors } from './errors.ts'
import { identificationRoutes } from './routes.ts'
import { fileSweeps } from './sweeps.ts'
import type { FileVault } from './vault.ts'

export function identificationsSlice(vault: FileVault): Slice {
  return {
    name: 'identifications',
    routes: identificationRoutes(vault),
    errors: identificationErrors,
    sweeps: fileSweeps(vault),
  }
}
