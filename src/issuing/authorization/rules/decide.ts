/**
 * Decides one message after another on the working copy of a batch: each sees what those before it
 * did. Pure: ids and approval codes are given, and the instant is the batch's (D-43 to D-48).
 */

import type { AuthorizationAnswer, AuthorizationRequest } from '../schema.ts'
import { authorize } from './authorize.ts'
import type { Book } from './book.ts'
import { complete } from './complete.ts'
import type { CardEvidence, KeySet, Secret, TokenEvidence } from './evidence.ts'
import { earlyReversalKey } from './message_keys.ts'
import { refuse } from './record.ts'
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
  /** Keyed digest of what a repeat must have in common with it (D-312), in hex. */
  fingerprint: string
  /** Of all cards of the batch. */
  tries: Tries
  late: boolean
}

/** The answer to a message; the book holds everything that is to be written for it. */
export function decide(book: Book, given: Given): AuthorizationAnswer {
  const { message_type, duplicate_key } = given.request
  const stored = book.stored(duplicate_key)
  if (stored?.answer) {
    const { answer, fingerprint } = stored
    const same = fingerprint === null || fingerprint === given.fingerprint
    return same ? { ...answer, repeated: true } : contradict(book, given)
  }
  const answer = deciders[message_type](book, given)
  if (duplicate_key !== undefined) {
    const { transaction_id } = answer
    const { fingerprint } = given
    book.remember({ key: duplicate_key, mti: message_type, transaction_id, answer, fingerprint })
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

/**
 * The key of an earlier message with another card, amount, currency or processing code: a message
 * of its own that is recorded as malformed. Nothing of the earlier one is answered or changed, and
 * nothing is stored under the key (D-312).
 */
const contradict = (book: Book, given: Given): AuthorizationAnswer =>
  refuse(book, given, '9104', [['duplicate', 'the key of another message', '9104']])

/** An original that comes after its reversal must not be approved (iso8583.md section 7). */
function rememberEarlyReversal(
  book: Book,
  { request, card }: Given,
  answer: AuthorizationAnswer,
): void {
  const { original, message_type: mti } = request
  if (answer.status_code !== '9114' || original?.message_key === undefined) return
  if (mti !== '0400' && mti !== '0420') return
  const key = earlyReversalKey(original.message_key, original.rrn, card?.card_id)
  if (book.stored(key)) return
  book.remember({ key, mti, transaction_id: null, answer: null, fingerprint: null })
}
