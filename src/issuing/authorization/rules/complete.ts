/**
 * 0220: the money of an earlier authorization is claimed; acknowledged whatever it finds (D-47).
 */

import { addDays } from '#lib/time.ts'
import type { AuthorizationAnswer } from '../schema.ts'
import { creditWithReference } from './authorize.ts'
import type { Book } from './book.ts'
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
  const account = book.account(card?.account_id ?? null)
  if (!card || !account) return refuse(book, given, '1018', traceOf('no account', '1018'))
  const original = book.find(request.original, card.card_id)
  // A transfer of nothing cannot be booked, and claims nothing (D-106).
  if (request.amount === 0n) return refuse(book, given, '1010', traceOf('0', '1010'), original)
  const { direction } = kindOf(request)
  if (direction === 'credit') return completeCredit(book, given, original)

  const fault = unfit(given, original, account.currency)
  if (fault) return refuse(book, given, fault.code, traceOf(fault.saw, fault.code), original)
  return original ? post(book, given, original) : forcePost(book, given)
}

/** Why a completion is recorded without being posted (D-108). */
function unfit({ request }: Given, original: OpenTransaction | undefined, currency: string) {
  if (request.currency !== currency) return { code: '1888', saw: `no rate to ${currency}` }
  if (kindOf(request).direction === 'none') return { code: '1888', saw: request.processing_code }
  if (!original) return undefined
  const { row } = original
  if (row.status === 'DECLINED') return { code: '9115', saw: `${row.id} was declined` }
  if (row.status === 'VOIDED') return { code: '1894', saw: `${row.id} was reversed` }
  const fits = row.transaction_type === kindOf(request).type && row.currency === request.currency
  return fits ? undefined : { code: '1858', saw: `${row.transaction_type} ${row.currency}` }
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

/** The presentment of a credit that was already booked with its authorization moves nothing. */
function completeCredit(
  book: Book,
  given: Given,
  original: OpenTransaction | undefined,
): AuthorizationAnswer {
  const { amount, currency } = given.request
  const { type } = kindOf(given.request)
  const told = { status_code: '0000', approved: true, amount }
  if (original?.row.transaction_type === type && original.row.status === 'SETTLED') {
    return answerOf(book, given, original.row, told)
  }
  if (given.card?.currency !== currency) {
    return refuse(book, given, '1888', traceOf(`no rate from ${currency}`, '1888'), original)
  }
  const row = newTransaction(book, given, {
    status: 'SETTLED',
    status_code: '0000',
    cleared_amount: amount,
  })
  const open = book.open(row, traceOf(original ? `refunds ${original.row.id}` : 'none'))
  creditWithReference(book, given, open)
  return answerOf(book, given, row, told)
}
