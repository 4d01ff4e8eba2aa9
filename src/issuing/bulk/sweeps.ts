import type { Sweep } from '#kit/jobs/sweep.ts'
import { BULK_ISSUANCES, workOnOne } from './job.ts'
import { bulkDue } from './store.ts'

/** Issues submitted requests; each process works on one request at a time. */
export const bulkIssuance: Sweep = {
  ...bulkDue,
  channel: BULK_ISSUANCES,
  run: async (ctx) => ({ more: await workOnOne(ctx) }),
}
