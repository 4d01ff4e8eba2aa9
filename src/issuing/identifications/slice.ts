import type { Slice } from '#kit/slice.ts'
import { identificationErrors } from './errors.ts'
import type { FileStorage } from './file_storage.ts'
import { identificationRoutes } from './routes.ts'
import { fileSweeps } from './sweeps.ts'

export function identificationsSlice(storage: FileStorage): Slice {
  return {
    name: 'identifications',
    routes: identificationRoutes(storage),
    errors: identificationErrors,
    sweeps: fileSweeps(storage),
  }
}
