/**
 * Fuel pumps (MCC 5542): the request holds what may be filled, an advice says what was, and the
 * first presentment ends the hold (D-1036).
 */

import { clearedOf, type TransactionRow } from '#issuing/transactions/rules.ts'
import type { AuthorizationAnswer } from '../../schema.ts'
import type { Case } from '../case.ts'
import { billedOf, isBilledByScheme } from '../money/billing.ts'
import type { OpenTransaction } from '../rows.ts'
import type { WorkingSet } from '../state/working_set.ts'
import { isFuel, isHonoured, note, paymentOf } from './payment.ts'
import { linkPresented, presentedApart, raise } from './presented_apart.ts'
import { answerOf } from './record.ts'
import { lower } from './reversed_before.ts'

/** The authorization of a pump that this advice is about, in the payment that it names. */
export function pumpOf(workingSet: WorkingSet, input: Case): OpenTransaction | undefined {
  if (!isFuel(input.request) || input.kind.direction !== 'debit') return undefined
  const authorized = paymentOf(workingSet, input).filter(
    ({ row }) => isFuel(row) && isHonoured(row) && row.message_type !== '0220',
  )
  return authorized.findLast(({ row }) => row.status === 'PENDING') ?? authorized.at(-1)
}

/** The hold becomes the amount of the advice, unless it has ended. */
export function replaceHold(
  workingSet: WorkingSet,
  input: Case,
  open: OpenTransaction,
): AuthorizationAnswer {
  const { amount } = input.request
  const { row } = open
  // The account is touched even if nothing changes: a presentment may come in another process.
  workingSet.touch(row.account_id)
  const link = linkPresented(workingSet, input, open)
  const claimed = clearedOf(row) + presentedApart(workingSet, input, open)
  const isOver = claimed > 0n || (row.status !== 'PENDING' && row.status !== 'SETTLED')
  if (isOver || amount === row.amount) return note(workingSet, input, open, link)
  const whole = row.billing_amount ?? 0n
  const byScheme = billedByScheme(input)
  if (amount < row.amount) {
    const billing = byScheme !== undefined && byScheme <= whole ? byScheme : undefined
    const released = lower(workingSet, input, open, { stays: amount, billing })
    if (row.status === 'VOIDED')
      workingSet.declineRepeats({ transaction_id: row.id, amount: released })
  } else {
    const more = amount - row.amount
    const isMore = byScheme !== undefined && byScheme > whole
    const billing = isMore ? byScheme - whole : billedOf(input, more)
    raise(workingSet, input, open, { amount: more, billing, link, status_code: '0000' })
  }
  return answerOf(workingSet, input, row, { status_code: '0000', approved: true, amount })
}

/** The amount that a scheme bills for the whole, in the currency of the account (D-1034). */
const billedByScheme = (input: Case): bigint | undefined =>
  isBilledByScheme(input) ? input.billing : undefined

/** The advice has come before its request, which holds nothing more. */
export function advisedPump(workingSet: WorkingSet, input: Case): OpenTransaction | undefined {
  const pump = pumpOf(workingSet, input)
  const { events = [], message_type } = pump?.row ?? {}
  const isRequested = events.some(({ message_type: of }) => of === '0100')
  return message_type === '0120' && !isRequested ? pump : undefined
}

/** Nothing was filled, and the advice that says so has come before the request. */
export const isUnused = (workingSet: WorkingSet, input: Case): boolean =>
  isFuel(input.request) && paymentOf(workingSet, input).some(({ row }) => isOfNothing(row))

const isOfNothing = (row: TransactionRow): boolean =>
  isFuel(row) && row.message_type === '0120' && row.amount === 0n && row.status_code === '1010'
