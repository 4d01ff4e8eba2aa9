/** The largest amount that would be approved (D-468). Pure. */

import { BALANCE_MAX } from '#issuing/ledger/rules.ts'
import type { AuthorizationAnswer } from '../schema.ts'
import { lowCodes } from './checks/amount_bounds.ts'

/** Codes that a larger amount may change; 1010 is given for an amount of zero. */
const TOO_LOW: ReadonlySet<string> = new Set(['1010', ...lowCodes])

/** Amounts of the API have at most 15 digits (D-6). */
const AMOUNT_MAX = BALANCE_MAX

type Decision = Pick<AuthorizationAnswer, 'approved' | 'status_code'>

/**
 * The largest amount that would be approved, in minor units; zero if none would be. The amounts
 * that are too low come before those that are approved, and all others after them, so halving finds
 * the largest in at most 50 steps.
 */
export function largestApproved(decideAt: (amount: bigint) => Decision, most = AMOUNT_MAX): bigint {
  let largest = 0n
  let low = 0n
  let high = most + 1n
  while (high - low > 1n) {
    const amount = (low + high) / 2n
    const { approved, status_code } = decideAt(amount)
    if (approved) largest = amount
    if (approved || TOO_LOW.has(status_code)) low = amount
    else high = amount
  }
  return largest
}
