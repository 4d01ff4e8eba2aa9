import { sql } from 'kysely'
import { transact } from '#kit/context.ts'
import { type Sweep, tenantsWithDue } from '#kit/sweeper.ts'
import { BULK_ISSUANCES, workOnOne } from './job.ts'

/** Issues what was submitted; several processes may, each a request of its own at a time. */
export const bulkIssuance: Sweep = {
  name: 'bulk issuance',
  channel: BULK_ISSUANCES,
  dueTenants: tenantsWithDue('bulk_issuances', 'due', sql`d.due is not null`),
  run: async (ctx) => ({ more: await transact(ctx, workOnOne) }),
}
