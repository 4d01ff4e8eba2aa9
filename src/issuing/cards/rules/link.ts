/** Which cards may be linked, to which user and account (D-36, D-38, D-111). */

import { fail, ok, type Result } from '#lib/result.ts'
import type { CardErrorCode } from '../errors.ts'
import type { CardStatus } from '../schema.ts'

type Linkable = { status: CardStatus; user_id: string | null; account_id: string | null }
type LinkTarget = { user_id: string; account_id?: string }

/**
 * A link sets what is empty and changes nothing: the user and the account of a card never change,
 * and the authorization engine relies on this. The same link again has nothing to set.
 */
export function checkLink(
  { status, user_id, account_id }: Linkable,
  target: LinkTarget,
): Result<true, CardErrorCode> {
  if (status === 'TERMINATED') return fail('card_terminated')
  if (user_id !== null && user_id !== target.user_id.toLowerCase()) {
    return fail('card_already_linked', { detail: 'The card belongs to another user.' })
  }
  if (account_id === null) return ok(true)
  if (user_id !== null) {
    return fail('card_already_linked', { detail: 'The card has its user and its account.' })
  }
  if (target.account_id === undefined || target.account_id.toLowerCase() === account_id) {
    return ok(true)
  }
  return fail('card_already_linked', { detail: 'The card was issued with its own account.' })
}
