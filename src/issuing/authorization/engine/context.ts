import type { Context } from '#kit/context.ts'
import type { Services } from '#kit/http/callers/callers.ts'

/** A batch has its instant from its tenant's row (D-350); nothing before that needs it. */
const NO_TIME = new Date(0)

/** The context of the engine's work in the database. */
export function engineContext(services: Services, tenant_id: string): Context {
  const actor = { kind: 'network', id: 'engine' } as const
  return { ...services, db: services.db.forTenant(tenant_id), tenant_id, now: NO_TIME, actor }
}
