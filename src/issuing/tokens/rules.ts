/** When a card may be provisioned, and the status changes of its tokens (D-39). */

import { type ErrorCode, fail, ok, type Result } from '#lib/result.ts'
import { addDuration } from '#lib/time.ts'
import type { TokenStatus } from './schema.ts'

/** Wrong attempts in a row, the last of which blocks the card (D-266). */
export const FAILURES_MAX = 5
const BLOCK_MS = 24 * 60 * 60 * 1000
/** The most tokens of one card; deleted ones do not count. */
export const LIVING_TOKENS_MAX = 10

export type CardState = {
  status: string
  provisioning_blocked_until: Date | null
}

/**
 * Whether an attempt may be checked. While the card is blocked it is not, so that correct data get
 * the same error as wrong data. A card in migration is blocked without being suspended (D-31).
 */
export function checkAttempt(card: CardState, now: Date): Result<true, ErrorCode> {
  const { status, provisioning_blocked_until: until } = card
  if (until !== null && now < until) {
    const detail = `The card accepts no further attempt before ${until.toISOString()}.`
    return fail('provisioning_blocked', { detail })
  }
  return status === 'ACTIVE'
    ? ok(true)
    : fail('card_not_active', { detail: `The card is ${status}.` })
}

export type AfterFailure = { failures: number; blocked_until: Date | undefined }

/** The state after a wrong attempt, given those before it in a row. A block resets the count. */
export function afterFailure(before: number, now: Date): AfterFailure {
  const failures = before + 1
  const blocks = failures >= FAILURES_MAX
  const until = addDuration(now, { months: 0, milliseconds: BLOCK_MS })
  return { failures, blocked_until: blocks ? until : undefined }
}

/** Whether a card with this many tokens, deleted ones excepted, may get another. */
export function checkCount(count: number): Result<true, ErrorCode> {
  if (count < LIVING_TOKENS_MAX) return ok(true)
  const detail = `A card may be in ${LIVING_TOKENS_MAX} wallets; delete one of its tokens.`
  return fail('tokens_per_card_reached', { detail })
}

/** All moves. DELETED is final; the wallet provisions the card again. */
export const moves: Readonly<Record<TokenStatus, readonly TokenStatus[]>> = {
  ACTIVE: ['SUSPENDED', 'DELETED'],
  SUSPENDED: ['ACTIVE', 'DELETED'],
  DELETED: [],
}

/** The status after the move; fails with the present status in the detail. */
export function checkMove(from: TokenStatus, to: TokenStatus): Result<TokenStatus, ErrorCode> {
  if (moves[from].includes(to)) return ok(to)
  return fail('token_status_move_refused', { detail: `The token is ${from}.` })
}
