/** The team that a request is about: that of its member. */

import type { Context } from '#kit/context.ts'
import { overAllTenants } from '#portal/over_all_tenants.ts'
import { memberOf } from '#portal/sessions/sessions.ts'

/**
 * `of` is the tenant, or null for the operator's team, whose rows belong to no tenant and are seen
 * only over all of them.
 */
export type Team<C extends Context> = { of: string | null; within: C }

export function teamOf<C extends Context>(ctx: C): Team<C> {
  const { tenant_id: of } = memberOf(ctx)
  return { of, within: of === null ? { ...ctx, db: overAllTenants(ctx).db } : ctx }
}
