/** Actions of the operator run within the tenant of the object that they name (D-213). */

import type { TSchema } from 'typebox'
import type { Context, Tx } from '#kit/context.ts'
import { lockRow } from '#kit/db/locks.ts'
import type { Input } from '#kit/http/route.ts'
import { ApiError } from '#lib/result.ts'
import type { TenantQuery } from './schema.ts'
import { findTenantClock, listHolders, type TableOfIds } from './store.ts'

/**
 * The operator's own context belongs to no tenant; the action uses the tenant's clock (D-70). Ids
 * are unique within a tenant alone, because clients may choose them (D-4). Refuses with
 * `not_found`, and `tenant_ambiguous` if several tenants use the id and none is named.
 */
export async function withinTenantOf(
  tx: Tx,
  table: TableOfIds,
  id: string,
  tenant_id: string | undefined,
): Promise<Tx> {
  const [holder, other] = await listHolders(tx, table, id, tenant_id)
  if (!holder) throw new ApiError('not_found')
  if (other) {
    const detail = 'Several tenants use this id: send tenant_id as well.'
    throw new ApiError('tenant_ambiguous', { detail })
  }
  const now = new Date(tx.now.getTime() + Number(holder.clock_offset_ms))
  tx.audited?.within(holder.tenant_id, now)
  return { ...tx, tenant_id: holder.tenant_id, now }
}

/** The operator's own context belongs to no tenant; its actions have the tenant's time (D-70). */
export async function withinTenant<C extends Context>(ctx: C, tenant_id: string): Promise<C> {
  const tenant = await findTenantClock(ctx, tenant_id)
  if (!tenant) throw new ApiError('not_found')
  const now = new Date(ctx.now.getTime() + Number(tenant.clock_offset_ms))
  ctx.audited?.within(tenant.id, now)
  return { ...ctx, tenant_id: tenant.id, now }
}

/** The object that an action of the operator changes, by its id, which several tenants may use. */
export const objectOfAnyTenant = <Schema extends TSchema>(
  table: TableOfIds,
  schema: Schema,
  find: (tx: Tx, id: string) => Promise<unknown>,
) => ({
  schema,
  read: async (tx: Tx, { params, query }: Input<{ id: string }, TenantQuery, unknown>) => {
    const within = await withinTenantOf(tx, table, params.id, query.tenant_id)
    await lockRow(within, table, params.id)
    return find(within, params.id)
  },
})
