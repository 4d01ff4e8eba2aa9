/**
 * For sweeps whose notifications name their tenant: all tenants are looked at seldom, and between
 * two such looks a round keeps to those that were named.
 */

import { FIRST_ID, type Sweep } from './sweeper.ts'

/** Between two looks at all tenants, while notifications name theirs. */
const LOOK_MS = 1_000

type DueTenants = Sweep['dueTenants']

export type NamedTenants = {
  /** Notes that the tenant may have due work. */
  add: (tenant_id: string) => void
  /** To be called as a portion of the tenant begins: it finds all that was notified until now. */
  begin: (tenant_id: string) => void
  dueTenants: DueTenants
}

export function createNamedTenants(lookAtAll: DueTenants): NamedTenants {
  const named = new Set<string>()
  let looked = Number.NEGATIVE_INFINITY
  return {
    add: (tenant_id) => named.add(tenant_id),
    begin: (tenant_id) => named.delete(tenant_id),
    async dueTenants(db, from, limit) {
      const isLook = from !== FIRST_ID || performance.now() - looked >= LOOK_MS
      if (named.size > 0 && !isLook) return [...named]
      if (from === FIRST_ID) looked = performance.now()
      return lookAtAll(db, from, limit)
    },
  }
}
