import { sql } from 'kysely'
import { transact } from '#kit/context.ts'
import { type Sweep, tenantsWithDue } from '#kit/jobs/sweeper.ts'
import { BULK_ISSUANCES, workOnOne } from './job.ts'

/** Issues submitted requests; each process works on one request at a time. */
export const bulkIssuance: Sweep = {
  name: 'bulk issuance',
  channel: BULK_ISSUANCES,
  dueTenants: tenantsWithDue('bulk_issuances', 'due', sql`d.due is not null`),
  run: async (ctx) => ({ more: await transact(ctx, workOnOne) }),
}
