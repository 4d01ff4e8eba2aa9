import { type FileStorage, heldFiles } from '#issuing/identifications/identifications.ts'
import type { Slice } from '#kit/slice.ts'
import { disputeErrors } from './errors.ts'
import { disputeEvents } from './events.ts'
import { disputeFileRoutes } from './file_routes.ts'
import { disputeRoutes } from './routes.ts'
import { disputeSweeps } from './sweeps.ts'

export const disputesSlice = (storage: FileStorage): Slice => ({
  name: 'disputes',
  routes: [...disputeRoutes, ...disputeFileRoutes(storage)],
  errors: disputeErrors,
  events: disputeEvents,
  sweeps: [...disputeSweeps, heldFiles(storage, 'held files of disputes', 'dispute_files')],
})
