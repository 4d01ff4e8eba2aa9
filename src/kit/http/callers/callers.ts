/** The caller of a request as the HTTP server knows it, and the contexts of other work. */

import { tenantNow } from '#kit/clock.ts'
import type { Context } from '#kit/context.ts'
import type { Route } from '../route.ts'
import type { RateState } from './caller_cache.ts'

/** The operator's requests belong to no tenant; their answers are stored under this id. */
export const NO_TENANT = '00000000-0000-0000-0000-000000000000'

/** The services of a process that every context contains. */
export type Services = Pick<
  Context,
  'db' | 'keys' | 'custody' | 'profile' | 'notify' | 'runDueJobs' | 'react'
>

export type Caller = {
  ctx: Context
  rate: RateState
  /** Throws an ApiError for an operation that is not allowed. */
  assertPermitted: (route: Pick<Route, 'id' | 'method' | 'permission'>) => void
  /** Throws an ApiError for a body that the caller may not send to the operation. */
  assertBody: (operation: Route['id'], body: unknown) => void
}

/** The context of work without a caller: sweeps, the card network, the seed. */
export async function tenantContext(
  services: Services,
  tenant_id: string,
  actor: Context['actor'],
): Promise<Context> {
  const { now } = await services.db
    .selectFrom('tenants as t')
    .select(tenantNow.as('now'))
    .where('t.id', '=', tenant_id)
    .executeTakeFirstOrThrow()
  return { ...services, db: services.db.forTenant(tenant_id), tenant_id, now, actor }
}
