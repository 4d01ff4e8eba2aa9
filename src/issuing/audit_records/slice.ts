import type { Slice } from '#kit/slice.ts'
import { chainBacklog, chainSweep } from './chain/chaining.ts'
import { auditRecordRoutes } from './routes.ts'

export const auditRecordsSlice: Slice = {
  name: 'audit_records',
  routes: auditRecordRoutes,
  backlogs: [chainBacklog],
  sweeps: [chainSweep],
}
