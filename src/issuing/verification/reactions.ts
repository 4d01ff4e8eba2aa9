/**
 * The reactions of verification to events of users, in the transaction of their cause (D-15, D-20).
 */

import type { Reactions } from '#kit/slice.ts'
import { beginTry, endTry, startTry, type Try } from './identity.ts'
import type { IdentityProvider } from './provider.ts'

/** The reasons of changeStatus that start an action, with the action. */
const actions: Readonly<Record<string, { action: typeof beginTry; phase: Try['phase'] }>> = {
  B2: { action: beginTry, phase: 'FIRST' },
  B0: { action: startTry, phase: 'FIRST' },
  B2E: { action: beginTry, phase: 'RENEWAL' },
  B0E: { action: startTry, phase: 'RENEWAL' },
}

export function identityReactions(provider: IdentityProvider | undefined): Reactions {
  return {
    async USER_CREATED(tx, { object_id, payload }) {
      if (payload.status !== 'PENDINGIDVERIFICATION') return
      await beginTry(tx, provider, object_id, { phase: 'FIRST', re_initiated: false })
    },
    async USER_STATUS_CHANGE(tx, { object_id, payload }) {
      const { new_status, new_status_reason_code, old_status_reason_code, note } = payload
      if (new_status === 'SUSPENDED' || new_status === 'TERMINATED') return endTry(tx, object_id)
      const reaction = actions[new_status_reason_code]
      if (!reaction) return
      await reaction.action(tx, provider, object_id, {
        phase: reaction.phase,
        re_initiated: true,
        old_status_reason_code,
        ...(note !== undefined && { note }),
      })
    },
  }
}
