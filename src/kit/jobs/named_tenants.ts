/**
 * The named tenants of sweeps that may be notified many times a second. A tenant that was just
 * served waits for a time before its next turn, which then finds more at once; a lone notification
 * never waits.
 */

import type { Context } from '#kit/context.ts'
import type { Sweep } from './sweep.ts'

export type NamedTenants = Required<Pick<Sweep, 'notified' | 'named'>> & {
  /**
   * To be called as a portion of the tenant begins: it finds all that was notified until now.
   * Later notifications of the tenant do not wake the sweep until its rest is over.
   */
  begin: (tenant_id: string) => void
  /** To be called once for each `begin`. */
  rest: (ctx: Context, milliseconds: number) => void
}

export function createNamedTenants(channel: string): NamedTenants {
  const named = new Set<string>()
  const resting = new Set<string>()
  const late = new Set<string>()
  return {
    notified(tenant_id) {
      const isResting = resting.has(tenant_id)
      const names = isResting ? late : named
      names.add(tenant_id)
      return !isResting
    },
    named: () => [...named],
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
  }
}
