/**
 * Completions that were posted apart (1857), because their authorization or its code was not known
 * when they came (D-316, D-529): so much of the authorization is not held.
 */

import { clearedOf, heldOf, type TransactionRow } from '#issuing/transactions/rules.ts'
import { least, portionOf } from '#lib/money.ts'
import { addDays } from '#lib/time.ts'
import type { OpenTransaction } from '../checks/evidence.ts'
import type { DecisionInput } from '../decision_input.ts'
import { heldPart } from '../money/billing.ts'
import type { WorkingSet } from '../state/working_set.ts'
import { isHonoured, paymentOf } from './payment.ts'
import { eventOf } from './record.ts'

/** What was presented before it was authorized, and has no authorization yet (1857). */
export function presentedBefore(
  workingSet: WorkingSet,
  input: DecisionInput,
): { amount: bigint; last: OpenTransaction | undefined } {
  const honoured = paymentOf(workingSet, input).filter(({ row }) => isHonoured(row))
  const isAuthorized = honoured.some(({ row }) => row.message_type !== '0220')
  const presented = isAuthorized ? [] : honoured
  const amount = clearedOfAll(presented)
  return { amount, last: amount > 0n ? presented.at(-1) : undefined }
}

const clearedOfAll = (presented: readonly OpenTransaction[]): bigint =>
  presented.reduce((sum, { row }) => sum + clearedOf(row), 0n)

const presentmentsOf = (workingSet: WorkingSet, input: DecisionInput): OpenTransaction[] =>
  paymentOf(workingSet, input).filter(({ row }) => isHonoured(row) && row.message_type === '0220')

const isLinkedTo = ({ row }: OpenTransaction, presented: readonly OpenTransaction[]): boolean =>
  presented.some(({ row: { id } }) => id === row.reference_transaction_id)

/** Minor units that were presented before this authorization came, and are separate from it. */
export function presentedApart(
  workingSet: WorkingSet,
  input: DecisionInput,
  open: OpenTransaction,
): bigint {
  const presented = presentmentsOf(workingSet, input)
  return isLinkedTo(open, presented) ? clearedOfAll(presented) : 0n
}

/**
 * An advice makes the code known under which something was presented: that much is not held any
 * longer. What changes of the transaction.
 */
export function releasePresented(
  workingSet: WorkingSet,
  input: DecisionInput,
  open: OpenTransaction,
): Partial<TransactionRow> {
  const { row } = open
  const presented = presentmentsOf(workingSet, input)
  const last = presented.at(-1)
  if (row.held === 0n || row.reference_transaction_id !== null || !last) return {}
  workingSet.release(open, heldPart(row, least(clearedOfAll(presented), heldOf(row))))
  const linked = { reference_transaction_id: last.row.id }
  return row.held > 0n ? linked : { ...linked, status: 'SETTLED', hold_expires: null }
}

/**
 * So much of a presentment was reversed: the authorization that came after it waits for it again
 * and is held as it would have been without.
 */
export function holdAgain(workingSet: WorkingSet, input: DecisionInput, amount: bigint): void {
  const presented = presentmentsOf(workingSet, input)
  const open = paymentOf(workingSet, input).find(
    (one) => OPEN.has(one.row.status) && isLinkedTo(one, presented),
  )
  if (!open) return
  const { row } = open
  const free = row.amount - clearedOf(row) - heldOf(row) - clearedOfAll(presented)
  const part = least(amount, free)
  const billing = part > 0n ? portionOf(row.billing_amount ?? 0n, row.amount, part) : 0n
  if (billing === 0n) return
  workingSet.hold(open, { amount: part, billing }, true)
  const hold_expires = addDays(workingSet.now, workingSet.settings.hold_days)
  const event = eventOf(workingSet, input, 'REVERSED', '0000', part)
  workingSet.change(open, { status: 'PENDING', hold_expires }, event)
}

const OPEN: ReadonlySet<TransactionRow['status']> = new Set(['PENDING', 'SETTLED'])
