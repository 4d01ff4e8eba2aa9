/**
 * 0220: the money of an earlier authorization is claimed; acknowledged whatever it finds (D-47).
 */

import type { TransactionRow } from '#issuing/transactions/rules.ts'
import { addDays } from '#lib/time.ts'
import type { AuthorizationAnswer } from '../schema.ts'
import type { Book } from './book.ts'
import { creditNow } from './credit.ts'
import type { Given } from './decide.ts'
import type { OpenTransaction } from './evidence.ts'
import { kindOf } from './kinds.ts'
import { answerOf, eventOf, newTransaction, refuse, traceOf } from './record.ts'

export function complete(book: Book, given: Given): AuthorizationAnswer {
  const { request, card } = given
  if (request.format_fault) {
    const { status_code, saw } = request.format_fault
    return refuse(book, given, status_code, traceOf(saw, status_code))
  }
  if (!card) return refuse(book, given, '1018', traceOf('no card has this number', '1018'))
  const account = book.account(card.account_id)
  if (!account) return refuse(book, given, '1019', traceOf('the card has no account', '1019'))
  const { direction, type } = kindOf(request)
  const sameType = (row: TransactionRow) => row.transaction_type === type
  const found = book.originals.find(request.original, card.card_id, sameType)
  // A credit may name the purchase that it returns money of, which is not what it completes.
  const original = found && (direction === 'debit' || sameType(found.row)) ? found : undefined
  const fault = unpostable(book, given, account.currency, original) ?? unfit(given, original)
  if (fault) return refuse(book, given, fault.code, traceOf(fault.saw, fault.code), found)

  if (direction === 'credit') return completeCredit(book, given, original)
  // A presentment that stands for itself authorizes nothing that another could claim.
  const claimed = original?.row.message_type === '0220' ? undefined : original
  return claimed ? post(book, given, claimed) : forcePost(book, given)
}

/** Why no money could move (D-108); another currency than the original's is 1858 (D-121). */
function unpostable(
  book: Book,
  { request, card }: Given,
  currency: string,
  original: OpenTransaction | undefined,
) {
  if (book.wasReversedEarly(request.duplicate_key, card?.card_id)) {
    return { code: '1894', saw: 'its reversal came first' }
  }
  if (kindOf(request).direction === 'none') return { code: '1888', saw: request.processing_code }
  if (original && original.row.currency !== request.currency) {
    return { code: '1858', saw: `${original.row.id} in ${original.row.currency}` }
  }
  if (request.currency !== currency) return { code: '1888', saw: `no rate to ${currency}` }
  return request.amount === 0n ? { code: '1010', saw: '0' } : undefined
}

/** Why a completion does not belong to its original (D-44, D-108). */
function unfit({ request }: Given, original: OpenTransaction | undefined) {
  if (!original) return undefined
  const { row } = original
  const { type, direction } = kindOf(request)
  if (row.status === 'VOIDED') return { code: '1894', saw: `${row.id} was reversed` }
  // A credit that was declined is presented all the same: the money is the cardholder's.
  if (direction === 'credit') return undefined
  if (row.status === 'DECLINED') return { code: '9115', saw: `${row.id} was declined` }
  if (row.transaction_type !== type) return { code: '1858', saw: row.transaction_type }
  // A financial request has posted its own money.
  return row.message_type === '0200' ? { code: '1858', saw: `${row.id} is complete` } : undefined
}

function post(book: Book, given: Given, original: OpenTransaction): AuthorizationAnswer {
  const { amount } = given.request
  const { row } = original
  const status_code = excessCode(given, original)
  const cleared_amount = row.cleared_amount + amount
  book.release(original, amount < original.held ? amount : original.held)
  book.post(original, amount, 'CLEARING', true)

  const open = original.held > 0n
  const hold_expires = open ? addDays(book.now, book.settings.clearing_hold_days) : null
  if (hold_expires) book.keepHold(original, hold_expires)
  const event = eventOf(book, given, 'CLEARED', status_code, amount)
  const after = {
    status: open ? ('PENDING' as const) : ('SETTLED' as const),
    cleared_amount,
    hold_expires,
    ...(status_code !== '0000' && { status_code }),
  }
  book.change(original, after, event)
  return answerOf(book, given, row, { status_code, approved: true, amount })
}

/** Above what was authorized by more than the product tolerates: told, and posted all the same. */
function excessCode({ request, card }: Given, { row }: OpenTransaction): '0000' | '1854' | '1855' {
  const total = row.cleared_amount + request.amount
  const percent = BigInt(card?.clearing_tolerance_percent ?? 0)
  if (total <= row.amount) return '0000'
  if (percent === 0n) return '1854'
  return total * 100n > row.amount * (100n + percent) ? '1855' : '0000'
}

/** A presentment without an original is posted as the scheme obliges us to (1857). */
function forcePost(book: Book, given: Given): AuthorizationAnswer {
  const { amount } = given.request
  const row = newTransaction(book, given, {
    status: 'SETTLED',
    status_code: '1857',
    cleared_amount: amount,
  })
  const open = book.open(row, traceOf('none was found', '1857'))
  book.post(open, amount, 'CLEARING', true)
  return answerOf(book, given, row, { status_code: '1857', approved: true, amount })
}

/** The first presentment of a credit that was booked with its authorization moves nothing. */
function completeCredit(
  book: Book,
  given: Given,
  original: OpenTransaction | undefined,
): AuthorizationAnswer {
  const { amount } = given.request
  if (original && isBooked(given, original.row)) {
    const { row } = original
    book.change(original, {}, eventOf(book, given, 'CLEARED', '0000', amount))
    return answerOf(book, given, row, { status_code: '0000', approved: true, amount })
  }
  const trace = traceOf(original ? original.row.id : 'none')
  return creditNow(book, given, { status_code: '0000' }, trace, original)
}

const isBooked = ({ request }: Given, { transaction_type, status, events }: TransactionRow) =>
  transaction_type === kindOf(request).type &&
  status === 'SETTLED' &&
  !events.some(({ message_type }) => message_type === '0220')
