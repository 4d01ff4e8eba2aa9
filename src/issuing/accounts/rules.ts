/** What an account's status allows (D-35). */

import { allow, type Ruling, refuse } from '#lib/ruling.ts'
import type { AccountRefusal } from './refusals.ts'
import type { AccountStatus } from './schema.ts'

type AccountStanding = { id: string; status: AccountStatus }

/** Money comes and goes at a client's word only while the account is ACTIVE. */
export function ruleOnMovement({ id, status }: AccountStanding): Ruling<void, AccountRefusal> {
  if (status === 'ACTIVE') return allow(undefined)
  return refuse('account_not_active', {
    detail: `The account is ${status}.`,
    extra: { account_id: id, account_status: status },
  })
}

/** Any status may follow any other, but not itself. */
export function ruleOnAccountStatus(
  { status }: AccountStanding,
  wanted: AccountStatus,
): Ruling<AccountStatus, AccountRefusal> {
  if (status !== wanted) return allow(wanted)
  return refuse('account_status_move_refused', {
    detail: `The account is ${status} already.`,
    extra: { account_status: status },
  })
}
