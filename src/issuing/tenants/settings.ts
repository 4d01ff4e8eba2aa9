/** The settings that hold for a tenant: those of its row, and the defaults of the deployment. */

import type { Context, Tx } from '#kit/context.ts'
import { mergeSettings } from './rules.ts'
import type { TenantSettings } from './schema.ts'
import { findTenantRow, type TenantRow } from './store.ts'

export const settingsOf = (
  { profile }: Context,
  tenant: Pick<TenantRow, 'settings'> | undefined,
): TenantSettings => mergeSettings(tenant?.settings ?? {}, profile)

/** The settings of the caller's tenant; the operator, who has none, gets the defaults. */
export const readSettings = async (ctx: Context | Tx): Promise<TenantSettings> =>
  settingsOf(ctx, await findTenantRow(ctx, ctx.tenant_id))
