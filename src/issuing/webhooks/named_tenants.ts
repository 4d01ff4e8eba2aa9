/**
 * For sweeps whose notifications name their tenant: all tenants are looked at seldom, and between
 * two such looks a round keeps to those that were named. A tenant that was just served waits a few
 * milliseconds for its next turn, which then finds more at once; a lone notification never waits.
 */

import type { Context } from '#kit/context.ts'
import { FIRST_ID, type Sweep } from '#kit/jobs/sweeper.ts'

/** Between two looks at all tenants, while notifications name theirs. */
const LOOK_MS = 1_000

export type NamedTenants = Required<Pick<Sweep, 'notified' | 'dueTenants'>> & {
  /**
   * To be called as a portion of the tenant begins: it finds all that was notified until now.
   * Later notifications of the tenant do not wake the sweep until its rest is over.
   */
  begin: (tenant_id: string) => void
  /** To be called once for each `begin`. */
  rest: (ctx: Context, milliseconds: number) => void
}

export function createNamedTenants(channel: string, lookAtAll: Sweep['dueTenants']): NamedTenants {
  const named = new Set<string>()
  const resting = new Set<string>()
  const late = new Set<string>()
  let looked = Number.NEGATIVE_INFINITY
  return {
    notified(tenant_id) {
      const isResting = resting.has(tenant_id)
      const names = isResting ? late : named
      names.add(tenant_id)
      return !isResting
    },
    begin(tenant_id) {
      named.delete(tenant_id)
      resting.add(tenant_id)
    },
    rest({ tenant_id, notify }, milliseconds) {
      const end = () => {
        resting.delete(tenant_id)
        if (late.delete(tenant_id)) notify(channel, tenant_id)
      }
      setTimeout(end, milliseconds).unref()
    },
    async dueTenants(db, from, limit) {
      const isLook = from !== FIRST_ID || performance.now() - looked >= LOOK_MS
      if (named.size > 0 && !isLook) return [...named]
      if (from === FIRST_ID) looked = performance.now()
      return lookAtAll(db, from, limit)
    },
  }
}
