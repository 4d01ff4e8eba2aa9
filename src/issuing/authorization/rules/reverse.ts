/** 0400 and 0420: an authorization is taken back, all of it or a part (D-47, D-107). */

import { addDays } from '#lib/time.ts'
import type { AuthorizationAnswer, OriginalReference } from '../schema.ts'
import { type Book, earlyReversalKey } from './book.ts'
import type { Given } from './decide.ts'
import type { OpenTransaction } from './evidence.ts'
import { answerOf, eventOf, refuse, traceOf } from './record.ts'

export function reverse(book: Book, given: Given): AuthorizationAnswer {
  const { request, card } = given
  if (request.format_fault) {
    const { status_code, saw } = request.format_fault
    return refuse(book, given, status_code, traceOf(saw, status_code))
  }
  const original = book.find(namedBy(request.original), card?.card_id)
  if (!original) return refuse(book, given, '9114', traceOf('none was found', '9114'))
  const { row, held } = original
  const says = (code: string) => {
    const saw = `${row.id} is ${row.status}`
    return refuse(book, given, code, traceOf(saw, code), original)
  }
  if (row.status === 'DECLINED') return says('9115')
  if (row.status === 'VOIDED') return says('1894')
  if (row.currency !== request.currency) return says('1858')
  if (namesCompletion(request.original) && row.message_type === '0100') {
    return takeBack(book, given, original)
  }
  if (held > 0n) return releaseHeld(book, given, original)
  if (row.status === 'EXPIRED') return voidIt(book, given, original, 0n)
  // What was authorized and cleared apart is taken back by a refund, not by a reversal.
  return isUndoable(original) ? undo(book, given, original) : says('1858')
}

/**
 * Completions and refunds bear the reference number of their purchase, so where DE90 names one of
 * them nothing else may be taken for it.
 */
function namedBy(original: OriginalReference | undefined): OriginalReference | undefined {
  const message_key = original?.message_key
  return message_key === undefined || message_key.startsWith('0100|') ? original : { message_key }
}

const namesCompletion = (original: OriginalReference | undefined): boolean =>
  original?.message_key?.startsWith('0220|') === true

/**
 * A completion that its sender got no answer to: the money comes back and is held as before, so
 * that it may be claimed again (D-87). Once: the reversal is remembered under the completion's key.
 */
function takeBack(book: Book, given: Given, original: OpenTransaction): AuthorizationAnswer {
  const { request } = given
  const { row } = original
  const key = request.original?.message_key ?? ''
  const amount = request.amount < row.cleared_amount ? request.amount : row.cleared_amount
  if (amount === 0n || book.isEarlyReversal(key)) {
    return refuse(book, given, '1894', traceOf(`${row.id} is ${row.status}`, '1894'), original)
  }
  book.remember({
    key: earlyReversalKey(key),
    mti: request.message_type,
    transaction_id: null,
    answer: null,
  })
  book.credit(original, amount, 'REVERSAL')
  const cleared_amount = row.cleared_amount - amount
  const free = row.amount - cleared_amount - original.held
  const hold_expires = addDays(book.now, book.settings.hold_days)
  if (free > 0n) book.hold(original, amount < free ? amount : free, hold_expires, true)
  const event = eventOf(book, given, 'REVERSED', '0000', amount)
  book.change(original, { status: 'PENDING', cleared_amount, hold_expires }, event)
  return told(book, given, original, amount)
}

/** Only what one message both authorized and posted can be undone by one message. */
const isUndoable = ({ row }: OpenTransaction): boolean =>
  row.message_type !== '0100' || row.cleared_amount === 0n || isCredit(row.transaction_type)

const isCredit = (type: string): boolean =>
  ['REFUND', 'DEPOSIT', 'LOAD', 'ORIGINAL_CREDIT', 'PAYMENT'].includes(type)

function releaseHeld(book: Book, given: Given, original: OpenTransaction): AuthorizationAnswer {
  const { held, row } = original
  const amount = releasedAmount(given, original)
  book.release(original, amount)
  if (amount === held && row.cleared_amount === 0n) return voidIt(book, given, original, amount)
  const status = amount === held ? ('SETTLED' as const) : row.status
  const hold_expires = amount === held ? null : row.hold_expires
  const event = eventOf(book, given, 'REVERSED', '0000', amount)
  book.change(original, { status, hold_expires }, event)
  return told(book, given, original, amount)
}

/** DE95 tells what stays authorized; a simulation tells what goes. Never more than is held. */
function releasedAmount({ request }: Given, { held, row }: OpenTransaction): bigint {
  const { remaining_amount, reverse_amount } = request
  if (reverse_amount !== undefined) return reverse_amount < held ? reverse_amount : held
  if (remaining_amount === undefined) return held
  const stays = remaining_amount - row.cleared_amount
  if (stays <= 0n) return held
  return stays < held ? held - stays : 0n
}

/** The whole amount of a financial request goes back the way it came. */
function undo(book: Book, given: Given, original: OpenTransaction): AuthorizationAnswer {
  const { row } = original
  const amount = row.cleared_amount
  if (amount > 0n && isCredit(row.transaction_type)) book.post(original, amount, 'REVERSAL', true)
  else if (amount > 0n) book.credit(original, amount, 'REVERSAL')
  return voidIt(book, given, original, amount)
}

function voidIt(book: Book, given: Given, original: OpenTransaction, amount: bigint) {
  const event = eventOf(book, given, 'REVERSED', '0000', amount)
  book.change(original, { status: 'VOIDED', cleared_amount: 0n, hold_expires: null }, event)
  return told(book, given, original, amount)
}

const told = (book: Book, given: Given, { row }: OpenTransaction, amount: bigint) =>
  answerOf(book, given, row, { status_code: '0000', approved: true, amount })
