/** Which cards may still be linked, to whom and to which account (D-36, D-38, D-111). */

import { fail, ok, type Result } from '#lib/result.ts'
import type { CardErrorCode } from '../errors.ts'
import type { CardStatus } from '../schema.ts'

type Linkable = { status: CardStatus; user_id: string | null; account_id: string | null }
type Wanted = { user_id: string; account_id?: string }

/**
 * A link fills what is empty and changes nothing: a card keeps its user and its account for life,
 * which is what the authorization engine relies on. The same link again has nothing to fill.
 */
export function ruleOnLink(
  { status, user_id, account_id }: Linkable,
  wanted: Wanted,
): Result<true, CardErrorCode> {
  if (status === 'TERMINATED') return fail('card_terminated')
  if (user_id !== null && user_id !== wanted.user_id.toLowerCase()) {
    return fail('card_already_linked', { detail: 'The card belongs to another user.' })
  }
  if (account_id === null) return ok(true)
  if (user_id !== null) {
    return fail('card_already_linked', { detail: 'The card has its user and its account.' })
  }
  if (wanted.account_id === undefined || wanted.account_id.toLowerCase() === account_id) {
    return ok(true)
  }
  return fail('card_already_linked', { detail: 'The card was issued with its own account.' })
}
