/**
 * Decides one message after another on the working copy of a batch: each sees what those before it
 * did. Pure: ids and approval codes are inputs, and the instant is the batch's (D-43 to D-48).
 */

import type { AuthorizationAnswer, AuthorizationRequest } from '../schema.ts'
import type { Case } from './case.ts'
import { isProvedByAav } from './checks/proofs.ts'
import { CONTRADICTION } from './messages/answers.ts'
import { authorize } from './messages/authorize.ts'
import { complete } from './messages/complete.ts'
import { decline } from './messages/record.ts'
import { reverse } from './messages/reverse.ts'
import { reverseUnanswered } from './messages/reverse_unanswered.ts'
import {
  ANSWERS_MAX,
  earlyReversalKey,
  repeatedAnswerKey,
  usedAavKey,
} from './state/message_keys.ts'
import { isReversible } from './state/unanswered.ts'
import type { WorkingSet } from './state/working_set.ts'

/**
 * The answer to a message; the working set has everything to write for it. Fails with
 * InvariantViolated if that does not add up.
 */
export function decide(workingSet: WorkingSet, input: Case): AuthorizationAnswer {
  const { message_type, duplicate_key } = input.request
  const stored = workingSet.stored(duplicate_key)
  if (stored?.answer) {
    const { answer, fingerprint } = stored
    const same = fingerprint === null || fingerprint === input.fingerprint()
    return same ? repeat(workingSet, input, answer) : contradict(workingSet, input)
  }
  const { unanswered } = input
  workingSet.begin()
  const answer = unanswered
    ? reverseUnanswered(workingSet, input, unanswered)
    : deciders[message_type](workingSet, input)
  workingSet.counters.recount()
  if (duplicate_key !== undefined) {
    const { transaction_id } = answer
    const fingerprint = input.fingerprint()
    const message = { key: duplicate_key, mti: message_type, transaction_id, answer, fingerprint }
    if (transaction_id === input.id) workingSet.rememberMaking(message)
    else workingSet.remember(message)
  }
  rememberEarlyReversal(workingSet, input, answer)
  rememberAav(workingSet, input, answer)
  workingSet.assertSound()
  return answer
}

const deciders: Record<
  AuthorizationRequest['message_type'],
  (workingSet: WorkingSet, input: Case) => AuthorizationAnswer
> = {
  '0100': authorize,
  '0120': authorize,
  '0200': authorize,
  '0220': complete,
  '0400': reverse,
  '0420': reverse,
}

/**
 * A repeat reports an approval to the network as its first answer would have: that one no longer
 * needs to arrive (D-305). The reported answer is counted, and the account is written, so that a
 * reversal by the platform, in any process, either counts it too or comes first and has it
 * declined.
 */
function repeat(
  workingSet: WorkingSet,
  { request, card }: Case,
  answer: AuthorizationAnswer,
): AuthorizationAnswer {
  const { duplicate_key: of, message_type: mti } = request
  if (of === undefined || !isReversible(request, answer)) return { ...answer, repeated: true }
  const answer_number = workingSet.answered(of).answers + 1
  if (answer_number > ANSWERS_MAX) return { ...answer, repeated: true }
  const key = repeatedAnswerKey(of, answer_number)
  workingSet.remember({ key, mti, transaction_id: null, answer: null, fingerprint: null })
  workingSet.touch(card?.account_id)
  return { ...answer, repeated: true, answer_number }
}

/**
 * The key of an earlier message with another card, amount, currency or processing code: a message
 * of its own that is recorded as malformed. Nothing of the earlier one is answered or changed, and
 * nothing is stored under the key (D-312).
 */
const contradict = (workingSet: WorkingSet, input: Case): AuthorizationAnswer =>
  decline(workingSet, input, CONTRADICTION, [
    ['duplicate', 'the key of another message', CONTRADICTION],
  ])

/** The value of a payment that was approved proves no other one. A declined one may come again. */
function rememberAav(workingSet: WorkingSet, input: Case, answer: AuthorizationAnswer): void {
  const { aav, message_type: mti } = input.request
  if (!aav || !answer.approved || !isProvedByAav(input)) return
  const { transaction_id } = answer
  const stored = { mti, transaction_id, answer: null, fingerprint: null }
  workingSet.remember({ key: usedAavKey(aav), ...stored })
}

/** An original that comes after its reversal must not be approved (iso8583.md section 7). */
function rememberEarlyReversal(
  workingSet: WorkingSet,
  { request, card }: Case,
  answer: AuthorizationAnswer,
): void {
  const { original, message_type: mti } = request
  if (answer.status_code !== '9114' || original?.message_key === undefined) return
  if (mti !== '0400' && mti !== '0420') return
  const key = earlyReversalKey(original.message_key, original.rrn, card?.card_id)
  if (workingSet.stored(key)) return
  workingSet.remember({ key, mti, transaction_id: null, answer: null, fingerprint: null })
}
