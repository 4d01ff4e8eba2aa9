import { chainSweep } from '#kit/audit_log/chaining.ts'
import type { Slice } from '#kit/slice.ts'
import { auditRecordRoutes } from './routes.ts'

export const auditRecordsSlice: Slice = {
  name: 'audit_records',
  routes: auditRecordRoutes,
  sweeps: [chainSweep],
}
