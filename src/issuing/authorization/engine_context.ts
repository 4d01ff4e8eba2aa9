import type { Services } from '#kit/callers.ts'
import type { Context } from '#kit/context.ts'

/**
 * The context of what the engine does in the database. `now` is real time: a batch takes the
 * tenant's own clock from what it gathers.
 */
export function engineContext(services: Services, tenant_id: string): Context {
  const actor = { kind: 'network', id: 'engine' } as const
  return { ...services, tenant_id, now: new Date(), actor }
}
