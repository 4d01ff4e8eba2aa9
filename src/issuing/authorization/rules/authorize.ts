/** 0100 and 0200 ask, 0120 tells what the network decided for us (D-47, D-48). */

import type { StoredTrace } from '#issuing/transactions/rules.ts'
import { addDays } from '#lib/time.ts'
import type { AuthorizationAnswer } from '../schema.ts'
import type { Book } from './book.ts'
import { examine } from './checks.ts'
import type { Given } from './decide.ts'
import type { OpenTransaction, Seen } from './evidence.ts'
import { kindOf } from './kinds.ts'
import { answerOf, eventOf, newTransaction, refuse } from './record.ts'

export function authorize(book: Book, given: Given): AuthorizationAnswer {
  const { refused, trace } = examine(seenBy(book, given))
  if (given.request.message_type === '0120') return advise(book, given, trace, refused)
  if (refused !== undefined) return refuse(book, given, refused, trace, incrementOf(book, given))

  const raised = incrementOf(book, given)
  if (raised) return increment(book, given, raised)
  return approve(book, given, trace)
}

export function seenBy(book: Book, { request, card, keys, late }: Given): Seen {
  const account = book.account(card?.account_id ?? null)
  const reversed_early = book.wasReversedEarly(request.duplicate_key)
  return { request, card, account, keys, late, reversed_early, now: book.now }
}

/** An authorization that is still held, of the same card, shop and kind: this one raises it. */
function incrementOf(book: Book, { request, card }: Given): OpenTransaction | undefined {
  if (request.message_type !== '0100' || kindOf(request).direction !== 'debit') return undefined
  const open = book.find(request.original, card?.card_id)
  if (!open || open.held === 0n || open.row.status !== 'PENDING') return undefined
  const { row } = open
  const fits =
    row.currency === request.currency &&
    row.transaction_type === kindOf(request).type &&
    row.merchant.id === request.merchant.id
  return fits ? open : undefined
}

function increment(book: Book, given: Given, open: OpenTransaction): AuthorizationAnswer {
  const { amount } = given.request
  const { row } = open
  book.hold(open, amount, row.hold_expires ?? holdEnd(book))
  const raised = {
    amount: row.amount + amount,
    billing_amount: (row.billing_amount ?? 0n) + amount,
  }
  book.change(open, raised, eventOf(book, given, 'INCREMENTED', '0000', amount))
  return answerOf(book, given, row, {
    status_code: '0000',
    approved: true,
    amount,
    ...(row.approval_code !== null && { approval_code: row.approval_code }),
  })
}

function approve(book: Book, given: Given, trace: StoredTrace): AuthorizationAnswer {
  const { request, card, approval_code } = given
  const { direction, type } = kindOf(request)
  const amount = approvedAmount(book, given)
  const status_code = type === 'VERIFICATION' ? '0885' : successCode(given, amount)
  const billed = { amount, billing_amount: card?.account_id ? amount : null }
  const base = { ...billed, status_code, approval_code }

  if (direction === 'debit' && request.message_type === '0100') {
    const hold_expires = holdEnd(book)
    const row = newTransaction(book, given, { ...base, status: 'PENDING', hold_expires })
    book.hold(book.open(row, trace), amount, hold_expires)
    return answerOf(book, given, row, { status_code, approved: true, amount, approval_code })
  }
  const cleared_amount = direction === 'none' ? 0n : amount
  const row = newTransaction(book, given, { ...base, status: 'SETTLED', cleared_amount })
  const open = book.open(row, trace)
  if (direction === 'debit') book.post(open, amount, row.transaction_type)
  if (direction === 'credit') creditWithReference(book, given, open)
  return answerOf(book, given, row, { status_code, approved: true, amount, approval_code })
}

/** A refund of a purchase that we know is counted there, up to what was cleared. */
export function creditWithReference(book: Book, given: Given, open: OpenTransaction): void {
  const { amount, transaction_type } = open.row
  book.credit(open, amount, transaction_type)
  const purchase = book.find(given.request.original, given.card?.card_id)
  if (!purchase || purchase === open || transaction_type !== 'REFUND') return
  const refunded_amount = purchase.row.refunded_amount + amount
  if (refunded_amount > purchase.row.cleared_amount) return
  open.row.reference_transaction_id = purchase.row.id
  const event = eventOf(book, given, 'REFUNDED', '0000', amount)
  book.change(purchase, { refunded_amount }, event)
}

/** What is held even where it undercuts the balance: the network has already promised it. */
function advise(
  book: Book,
  given: Given,
  trace: StoredTrace,
  refused: string | undefined,
): AuthorizationAnswer {
  const { request, card } = given
  const { direction } = kindOf(request)
  const account = book.account(card?.account_id ?? null)
  const unusable = refused === '1018' || refused === '1846' || refused === '9104'
  if (unusable || refused === '1894') return refuse(book, given, refused, trace)
  if (!request.advised_approval?.approved) return refuse(book, given, '1856', trace)
  if (!account || refused === '1888') return refuse(book, given, refused ?? '1019', trace)

  const known = book.find(request.original, card?.card_id)
  if (known?.row.status === 'PENDING') return alreadyHeld(book, given, known)
  const hold_expires = holdEnd(book)
  const { amount } = request
  const row = newTransaction(book, given, {
    status: direction === 'none' ? 'SETTLED' : 'PENDING',
    status_code: '0000',
    approval_code: request.advised_approval.approval_code ?? null,
    ...(direction === 'debit' && { hold_expires }),
  })
  const open = book.open(row, trace)
  if (direction === 'debit') book.hold(open, amount, hold_expires, true)
  return answerOf(book, given, row, { status_code: '0000', approved: true, amount })
}

/** The advice repeats what a request has already held. */
function alreadyHeld(book: Book, given: Given, { row }: OpenTransaction): AuthorizationAnswer {
  const told = { status_code: '0000', approved: true, amount: row.amount }
  return answerOf(book, given, row, told)
}

/** All of it, or what is available where the terminal and the product allow less (D-48). */
function approvedAmount(book: Book, { request, card }: Given): bigint {
  const account = book.account(card?.account_id ?? null)
  if (!account || kindOf(request).direction !== 'debit') return request.amount
  const available = account.balance - account.held
  return request.amount <= available ? request.amount : available
}

function successCode({ request, card }: Given, amount: bigint): string {
  if (amount < request.amount) return '0002'
  const { identify_above = null, user_vip = false } = card ?? {}
  if (identify_above !== null && amount >= identify_above) return '0001'
  return user_vip ? '0003' : '0000'
}

const holdEnd = ({ now, settings }: Book): Date => addDays(now, settings.hold_days)
