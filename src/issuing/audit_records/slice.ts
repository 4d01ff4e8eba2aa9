import type { Slice } from '#kit/slice.ts'
import { chainSweep } from './chain/chaining.ts'
import { auditRecordRoutes } from './routes.ts'

export const auditRecordsSlice: Slice = {
  name: 'audit_records',
  routes: auditRecordRoutes,
  sweeps: [chainSweep],
}
