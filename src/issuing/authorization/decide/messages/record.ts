/** The row and the answer of a message. */

import { isAdvice } from '#iso8583/mti.ts'
import type { StoredEvent, StoredTrace, TransactionRow } from '#issuing/transactions/rules.ts'
import type { AuthorizationAnswer } from '../../schema.ts'
import type { Case } from '../case.ts'
import { billed, isBilledByScheme, newForeign } from '../money/billing.ts'
import type { OpenTransaction, Part } from '../rows.ts'
import type { WorkingSet } from '../state/working_set.ts'
import { askedOf } from '../stored_request.ts'

type Fields = Pick<TransactionRow, 'status' | 'status_code'> & Partial<TransactionRow>

/** A new transaction of this message. Columns of absent fields are null. */
export function newTransaction(
  workingSet: WorkingSet,
  input: Case,
  trace: StoredTrace,
  fields: Fields,
): TransactionRow {
  const { request, kind, card, account, id } = input
  const amount = fields.amount ?? request.amount
  // Without a rate there is no amount in the account's currency (D-51).
  const billing = account && billed(input, amount)
  const rate = billing === undefined ? undefined : input.rate
  const { cleared_amount: posted = 0n } = fields
  const cleared = posted > 0n ? { amount, billing: posted, settled: posted } : undefined
  const row: TransactionRow = {
    id,
    card_id: card?.card_id ?? null,
    account_id: card?.account_id ?? null,
    user_id: card?.user_id ?? null,
    message_type: request.message_type,
    transaction_type: kind.type,
    amount: request.amount,
    currency: request.currency,
    billing_amount: billing ?? null,
    billing_currency: billing === undefined ? null : (account?.currency ?? null),
    foreign: rate === undefined ? null : newForeign(rate, cleared, isBilledByScheme(input)),
    cleared_amount: 0n,
    refunded_amount: 0n,
    held: 0n,
    hold_expires: null,
    approval_code: null,
    rrn: request.rrn ?? null,
    stan: request.stan ?? null,
    reference_transaction_id: null,
    merchant: request.merchant,
    pos: request.pos,
    events: [],
    trace,
    message: null,
    withdrawn: false,
    created: workingSet.now,
    modified: workingSet.now,
    ...askedOf(request, amount),
    ...fields,
  }
  const type = row.status === 'DECLINED' ? 'DECLINED' : firstEvent(row.status_code, row)
  row.events.push(eventOf(workingSet, input, type, row.status_code, row.amount))
  return row
}

const firstEvent = (status_code: string, { cleared_amount }: { cleared_amount: bigint }) =>
  cleared_amount > 0n || status_code === '1857' ? 'CLEARED' : 'AUTHORIZED'

export function eventOf(
  workingSet: WorkingSet,
  { request: { message_type, advised_approval, by_file }, unanswered }: Case,
  type: StoredEvent['type'],
  status_code: string,
  amount: bigint,
): StoredEvent {
  const created = workingSet.now.toISOString()
  const { approval_code } = advised_approval ?? {}
  return {
    type,
    message_type,
    status_code,
    amount: String(amount),
    created,
    ...(approval_code !== undefined && { approval_code }),
    ...(unanswered && type === 'REVERSED' && { unsent: true }),
    ...(by_file && type === 'CLEARED' && { by_file }),
  }
}

type DecisionOutcome = {
  status_code: string
  approved: boolean
  amount: bigint
  approval_code?: string
}

/** The facts that DE39 of an answer depends on beside the code. */
export const hintsOf = ({ request, card }: Case): AuthorizationAnswer['hints'] => ({
  ...(card?.status === 'TERMINATED' && { card_reason: card.status_reason_code }),
  ...(request.cvv2 && { cvv2: true }),
})

/** The answer about a transaction, with the account as it is now. */
export function answerOf(
  workingSet: WorkingSet,
  input: Case,
  row: TransactionRow,
  outcome: DecisionOutcome,
) {
  const account = workingSet.account(row.account_id)
  const answer: AuthorizationAnswer = {
    transaction_id: row.id,
    ...outcome,
    hints: hintsOf(input),
    repeated: false,
  }
  if (account) {
    const { balance, held, currency } = account
    answer.available = { amount: balance - held, ledger: balance, currency }
  }
  return answer
}

/**
 * Records a message that changes nothing: declined, or an advice that may not be posted. One that
 * would change another transaction, were that known or as it is a moment later, writes the version
 * of its account too: its repeat may be decided by another process at this moment, and a message is
 * decided once (D-859). An authorization may come beside its advice or the hold that it raises
 * (D-876).
 */
export function decline(
  workingSet: WorkingSet,
  input: Case,
  status_code: string,
  trace: StoredTrace,
  original?: OpenTransaction,
): AuthorizationAnswer {
  const { request, card } = input
  const mayChange = isAdvice(request.message_type) || request.message_type === '0100'
  if (original || mayChange) workingSet.touch(card?.account_id)
  const row = newTransaction(workingSet, input, trace, {
    status: 'DECLINED',
    status_code,
    reference_transaction_id: original?.row.id ?? null,
  })
  workingSet.open(row)
  return answerOf(workingSet, input, row, { status_code, approved: false, amount: 0n })
}

/**
 * Records that a part was reversed: the transaction goes on with a lower amount, as an increment
 * would have raised it.
 */
export function lessen(
  workingSet: WorkingSet,
  input: Case,
  original: OpenTransaction,
  { amount, billing, over = 0n }: Pick<Part, 'amount' | 'billing'> & { over?: bigint },
  fields: Partial<TransactionRow> | false = false,
): void {
  const { row } = original
  const billing_amount = row.billing_amount === null ? null : row.billing_amount - billing
  const less = { amount: row.amount - amount, billing_amount, ...fields }
  const event = {
    ...eventOf(workingSet, input, 'REVERSED', '0000', amount),
    ...(over > 0n && { over: String(over) }),
  }
  workingSet.change(original, less, event)
}

/** The columns that change once nothing is left of a transaction. */
export const voided = ({ foreign }: TransactionRow) => ({
  ...({ status: 'VOIDED', cleared_amount: 0n, hold_expires: null } as const),
  foreign: foreign && { ...foreign, held: 0n, cleared: 0n, settled: 0n },
})

/** The trace of a message that acts on an earlier one. */
export const traceOf = (detail: string, code?: string): StoredTrace => [
  code === undefined ? ['original', detail] : ['original', detail, code],
]
