/** When a card may be put into a wallet, and what becomes of its tokens (D-39). */

import { fail, ok, type Result } from '#lib/result.ts'
import { addDuration } from '#lib/time.ts'
import type { TokenErrorCode } from './errors.ts'
import type { TokenStatus } from './schema.ts'

/** Wrong tries in a row, the last of which blocks the card (specification, "Limits"). */
export const FAILURES_MAX = 5
const BLOCK_MS = 24 * 60 * 60 * 1000
/** Of one card; deleted ones do not count. */
export const LIVING_TOKENS_MAX = 10

export type CardState = {
  status: string
  provisioning_blocked_until: Date | null
}

/**
 * Whether the data that were given for a card may be looked at. While it is blocked they are not,
 * so that the right ones are refused in the same words as wrong ones. On its way to plastic a card
 * is blocked without being suspended (D-31).
 */
export function ruleOnTry(card: CardState, now: Date): Result<true, TokenErrorCode> {
  const { status, provisioning_blocked_until: until } = card
  if (until !== null && now < until) {
    const detail = `The card takes no further try before ${until.toISOString()}.`
    return fail('provisioning_blocked', { detail })
  }
  return status === 'ACTIVE'
    ? ok(true)
    : fail('card_not_active', { detail: `The card is ${status}.` })
}

export type AfterFailure = { failures: number; blocked_until: Date | undefined }

/** What a wrong try leaves, after so many in a row. The block begins the count anew. */
export function afterFailure(before: number, now: Date): AfterFailure {
  const failures = before + 1
  const blocks = failures >= FAILURES_MAX
  const until = addDuration(now, { months: 0, milliseconds: BLOCK_MS })
  return { failures, blocked_until: blocks ? until : undefined }
}

/** Whether a card with so many living tokens gets another. */
export function ruleOnCount(living: number): Result<true, TokenErrorCode> {
  if (living < LIVING_TOKENS_MAX) return ok(true)
  const detail = `A card may be in ${LIVING_TOKENS_MAX} wallets; delete one of its tokens.`
  return fail('tokens_per_card_reached', { detail })
}

/** Every move there is. A deleted token stays deleted; the wallet provisions the card anew. */
export const moves: Readonly<Record<TokenStatus, readonly TokenStatus[]>> = {
  ACTIVE: ['SUSPENDED', 'DELETED'],
  SUSPENDED: ['ACTIVE', 'DELETED'],
  DELETED: [],
}

/** The status after the move; refuses naming the present one. */
export function ruleOnMove(
  from: TokenStatus,
  to: TokenStatus,
): Result<TokenStatus, TokenErrorCode> {
  if (moves[from].includes(to)) return ok(to)
  return fail('token_status_move_refused', { detail: `The token is ${from}.` })
}
