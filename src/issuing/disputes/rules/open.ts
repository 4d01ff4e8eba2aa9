/** The amount of a transaction that may be disputed, and until when (D-1062). Pure. */

import { credits, type TransactionRow } from '#issuing/transactions/rules.ts'
import { portionOf } from '#lib/money.ts'
import { fail, ok, type Result } from '#lib/result.ts'
import type { DisputeErrorCode } from '../errors.ts'
import { codeOf, DAYS_WITHOUT_SCHEME, type Reason, type Scheme } from './reasons.ts'
import { addDays } from './states.ts'

type Settled = Pick<TransactionRow, 'transaction_type' | 'cleared_amount' | 'refunded_amount'>

/** The amount of it that is settled and not refunded; minor units of the account's currency. */
export function settledOf({ transaction_type, cleared_amount, refunded_amount }: Settled): bigint {
  return credits.includes(transaction_type) ? 0n : cleared_amount - refunded_amount
}

/** The amount of a dispute: the wanted one, or all of what is left. */
export function checkAmount(
  left: bigint,
  wanted: bigint | undefined,
): Result<bigint, DisputeErrorCode> {
  if (left <= 0n) return fail('nothing_to_dispute')
  if (wanted !== undefined && wanted > left) return fail('dispute_exceeds_amount')
  return ok(wanted ?? left)
}

/** The part of an amount that the card network has settled. */
export function settledPart(row: TransactionRow, amount: bigint): bigint {
  if (!row.foreign) return amount
  return portionOf(row.foreign.settled, row.cleared_amount, amount)
}

/** The end of the days of a reason, from the last settlement. */
export function submitBy(row: TransactionRow, { scheme, reason, reason_code }: Coded): Date {
  const cleared = row.events.findLast(({ type }) => type === 'CLEARED')
  const days = codeOf(scheme, reason, reason_code ?? undefined)?.days ?? DAYS_WITHOUT_SCHEME
  return addDays(cleared ? new Date(cleared.created) : row.created, days)
}

type Coded = { scheme: Scheme | null; reason: Reason; reason_code: string | null }

/** The code of the scheme; undefined if the reason does not have the one that is wanted. */
export function codeFor(
  scheme: Scheme | null,
  reason: Reason,
  wanted: string | undefined,
): string | null | undefined {
  if (wanted !== undefined) return codeOf(scheme, reason, wanted)?.code
  return codeOf(scheme, reason)?.code ?? null
}
