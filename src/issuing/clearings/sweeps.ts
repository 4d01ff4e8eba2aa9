import type { Authorizer } from '#issuing/authorization/authorization.ts'
import { tenantsWith } from '#kit/jobs/due_tenants.ts'
import { POLL_MS, type Sweep } from '#kit/jobs/sweep.ts'
import { CLEARING } from './clearings.ts'
import { postPortion } from './posting.ts'
import { hasWaiting } from './record_store.ts'

/** Files are few, and an index has the records that wait. */
export const clearingPosting = (engine: Authorizer): Sweep => ({
  name: 'clearing posting',
  every_ms: 2 * POLL_MS,
  realTime: true,
  channel: CLEARING,
  dueTenants: tenantsWith(hasWaiting),
  run: (ctx) => postPortion(ctx, engine),
})
