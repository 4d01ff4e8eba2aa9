/**
 * Decides one message after another on the working copy of a batch: each sees what those before it
 * did. Pure: ids and approval codes are given, and the instant is the batch's (D-43 to D-48).
 */

import type { AuthorizationAnswer, AuthorizationRequest } from '../schema.ts'
import { authorize } from './authorize.ts'
import { type Book, earlyReversalKey } from './book.ts'
import { complete } from './complete.ts'
import type { CardEvidence, KeySet, Secret, TokenEvidence } from './evidence.ts'
import { reverse } from './reverse.ts'
import type { Tries } from './tries.ts'

/** A message with what only the world could give it. */
export type Given = {
  request: AuthorizationRequest
  /** The id that its transaction gets, if it makes one. */
  id: string
  /** The approval code (DE38) that it gets, if it is approved. */
  approval_code: string
  card: CardEvidence | undefined
  keys: KeySet | undefined
  token?: TokenEvidence | undefined
  card_number?: Secret | undefined
  /** Of all cards of the batch. */
  tries: Tries
  late: boolean
}

/** The answer to a message; the book holds everything that is to be written for it. */
export function decide(book: Book, given: Given): AuthorizationAnswer {
  const { message_type, duplicate_key } = given.request
  const stored = book.answerTo(duplicate_key)
  if (stored) return { ...stored, repeated: true }

  const answer = deciders[message_type](book, given)
  if (duplicate_key !== undefined) {
    const { transaction_id } = answer
    book.remember({ key: duplicate_key, mti: message_type, transaction_id, answer })
  }
  rememberEarlyReversal(book, given, answer)
  return answer
}

const deciders: Record<
  AuthorizationRequest['message_type'],
  (book: Book, given: Given) => AuthorizationAnswer
> = {
  '0100': authorize,
  '0120': authorize,
  '0200': authorize,
  '0220': complete,
  '0400': reverse,
  '0420': reverse,
}

/** An original that comes after its reversal must not be approved (iso8583.md section 7). */
function rememberEarlyReversal(book: Book, { request }: Given, answer: AuthorizationAnswer): void {
  const key = request.original?.message_key
  if (answer.status_code !== '9114' || key === undefined) return
  if (book.isEarlyReversal(key)) return
  const { message_type: mti } = request
  book.remember({ key: earlyReversalKey(key), mti, transaction_id: null, answer: null })
}
