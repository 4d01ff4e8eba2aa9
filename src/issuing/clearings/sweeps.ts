import type { Authorizer } from '#issuing/authorization/authorization.ts'
import type { Context } from '#kit/context.ts'
import { FIRST_ID, tenantsWith } from '#kit/jobs/due_tenants.ts'
import { POLL_MS, SELDOM_MS, type Sweep } from '#kit/jobs/sweep.ts'
import { hasWaiting } from './claim_store.ts'
import { CLEARING } from './clearings.ts'
import { clearImport } from './importing.ts'
import { postPortions } from './posting.ts'
import { hasSilent, listSilent, listTenantIds } from './store.ts'

/** Files are few, and an index has the records that wait. */
export const clearingPosting = (engine: Authorizer): Sweep => ({
  name: 'clearing posting',
  every_ms: 2 * POLL_MS,
  realTime: true,
  channel: CLEARING,
  dueTenants: tenantsWith(hasWaiting),
  run: (ctx) => postPortions(ctx, engine),
})

/** Imports that their process has left (D-1330). A file is of all tenants: one turn is enough. */
export const clearingImports: Sweep = {
  name: 'clearing imports',
  every_ms: SELDOM_MS,
  realTime: true,
  dueTenants: async (db, from) => (from === FIRST_ID && (await hasSilent(db)) ? [FIRST_ID] : []),
  async run(sweep) {
    await clearSilent({ ...sweep, db: sweep.db.atEntry() })
    return { more: false }
  },
}

export async function clearSilent(ctx: Context): Promise<void> {
  for (const { id, tenant_ids } of await listSilent(ctx.db)) {
    await clearImport(ctx, id, tenant_ids ?? (await listTenantIds(ctx.db)))
  }
}
