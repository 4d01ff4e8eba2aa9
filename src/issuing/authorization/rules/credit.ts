/** Money that comes to the cardholder: refunds, deposits, original credits (D-47). */

import type { StoredTrace, TransactionRow } from '#issuing/transactions/rules.ts'
import type { AuthorizationAnswer } from '../schema.ts'
import type { Book } from './book.ts'
import type { Given } from './decide.ts'
import type { OpenTransaction } from './evidence.ts'
import { isDebit, kindOf } from './kinds.ts'
import { answerOf, eventOf, newTransaction } from './record.ts'

type Told = { status_code: string; approval_code?: string | null }

/** Credits at once, whatever message brought it; a refund is counted at its purchase. */
export function creditNow(
  book: Book,
  given: Given,
  { status_code, approval_code = null }: Told,
  trace: StoredTrace,
): AuthorizationAnswer {
  const { amount } = given.request
  const purchase = refundedPurchase(book, given)
  const row = newTransaction(book, given, {
    status: 'SETTLED',
    status_code,
    approval_code,
    cleared_amount: amount,
    reference_transaction_id: purchase?.row.id ?? null,
  })
  const open = book.open(row, trace)
  book.credit(open, amount, row.transaction_type)
  if (purchase) {
    const refunded_amount = purchase.row.refunded_amount + amount
    book.change(purchase, { refunded_amount }, eventOf(book, given, 'REFUNDED', '0000', amount))
  }
  return answerOf(book, given, row, {
    status_code,
    approved: true,
    amount,
    ...(approval_code !== null && { approval_code }),
  })
}

const takesMoney = ({ transaction_type }: TransactionRow): boolean => isDebit(transaction_type)

/** A purchase is refunded up to what was cleared of it; more is a credit of its own. */
function refundedPurchase(book: Book, { request, card }: Given): OpenTransaction | undefined {
  if (kindOf(request).type !== 'REFUND') return undefined
  const purchase = book.find(request.original, card?.card_id, takesMoney)
  if (!purchase || !takesMoney(purchase.row)) return undefined
  const { refunded_amount, cleared_amount } = purchase.row
  return refunded_amount + request.amount <= cleared_amount ? purchase : undefined
}

/** What is taken back of a refund no longer counts at its purchase. */
export function uncountRefund(book: Book, given: Given, refund: TransactionRow, amount: bigint) {
  const { reference_transaction_id: transaction_id, card_id } = refund
  if (transaction_id === null) return
  const purchase = book.find({ transaction_id }, card_id ?? undefined)
  if (!purchase || purchase.row.refunded_amount < amount) return
  const refunded_amount = purchase.row.refunded_amount - amount
  const event = eventOf(book, given, 'REFUND_REVERSED', '0000', amount)
  book.change(purchase, { refunded_amount }, event)
}
