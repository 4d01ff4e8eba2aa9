/**
 * Reversals that came before the advice (0120) of what they take back, or before the completion
 * (D-316, D-855, D-877).
 */

import { heldOf, type TransactionRow } from '#issuing/transactions/rules.ts'
import { least, portionOf } from '#lib/money.ts'
import type { DecisionInput } from '../decision_input.ts'
import { heldPart } from '../money/billing.ts'
import { earlyReversalKey, nameOfMessage } from '../state/message_keys.ts'
import { staysOf } from '../state/undone.ts'
import type { WorkingSet } from '../state/working_set.ts'
import { missedReversalsOf } from './payment.ts'
import { lessen } from './record.ts'

/**
 * Minor units that reversals which came before this advice have left of its request; undefined
 * where none came.
 */
export function leftOfReversed(workingSet: WorkingSet, input: DecisionInput): bigint | undefined {
  const missed = missedReversalsOf(workingSet, input)
  if (missed.length > 0) return missed.map(staysOf).reduce(least)
  const { message_key, rrn } = input.request.original ?? {}
  if (message_key === undefined) return undefined
  return workingSet.stored(earlyReversalKey(message_key, rrn, input.card?.card_id)) && 0n
}

/** The same of this completion: what reversals that named it have left. */
export function leftOfCompletion(workingSet: WorkingSet, input: DecisionInput): bigint | undefined {
  const { duplicate_key } = input.request
  const named = duplicate_key === undefined ? undefined : nameOfMessage(duplicate_key)
  if (!named) return undefined
  const missed = missedReversalsOf(workingSet, input, named.message_key)
  return missed.length > 0 ? missed.map(staysOf).reduce(least) : undefined
}

/** A request that is declined because its reversal came first, which leaves a part of it. */
export const isDeclinedForPart = (
  workingSet: WorkingSet,
  input: DecisionInput,
  { status, status_code }: TransactionRow,
): boolean =>
  status === 'DECLINED' && status_code === '1894' && (leftOfReversed(workingSet, input) ?? 0n) > 0n

/** So much of this new authorization was reversed before it came: as if that came now. */
export function takeBackPart(
  workingSet: WorkingSet,
  input: DecisionInput,
  { id }: TransactionRow,
  amount: bigint,
): void {
  const open = workingSet.originals.get(id)
  if (!open) throw new Error(`transaction ${id} was not made`)
  const { row } = open
  const billing = portionOf(row.billing_amount ?? 0n, row.amount, amount)
  workingSet.release(open, heldPart(row, least(amount, heldOf(row))))
  const ended = row.held === 0n && ({ status: 'SETTLED', hold_expires: null } as const)
  lessen(workingSet, input, open, { amount, billing }, ended)
}
