/** The meaning of an issuer's answers, and the times at which an advice is sent again. */

import type { Message } from '#iso8583/message.ts'
import { mtiClass } from '#iso8583/mti.ts'

export type Outcome =
  | { kind: 'answered'; approved: boolean; response_code: string; approval_code: string | null }
  /** It certainly never left this process. */
  | { kind: 'unsent' }
  /** It may have taken effect (D-131). A request is reversed; an advice is sent again. */
  | { kind: 'unanswered' }

/** DE39 that approve the whole amount. */
export const APPROVED: ReadonlySet<string> = new Set(['00', '08', '11', '85'])

/** The issuer still processes the same message: a repeat fetches the answer. */
export const STILL_WORKING = '94'

const PARTIAL = '10'

/**
 * Answers that leave open whether the message took effect (D-131). A partial approval (10) counts
 * as one too: we never request it, so the approved part is reversed.
 */
const UNDECIDED = new Set(['68', '91', '96', STILL_WORKING, PARTIAL])

/** DE39 of a 0430 if the issuer has no such original. */
export const NO_ORIGINAL = '25'

/** DE39 of a 0430 for an original that is reversed, was reversed before, or never arrived. */
const TAKEN_BACK = new Set([...APPROVED, '21', NO_ORIGINAL])

/** Seconds from one sending of an advice to the next: doubling, ten minutes at most. */
const RESEND_MAX_SECONDS = 600

export function outcomeOf({ fields }: Message): Outcome {
  const response_code = fields[39]
  if (response_code === undefined || UNDECIDED.has(response_code)) return { kind: 'unanswered' }
  const approved = APPROVED.has(response_code)
  return { kind: 'answered', approved, response_code, approval_code: fields[38] ?? null }
}

/** Whether an answer that comes too late states that something took effect: all of it or a part. */
export function tookEffect({ fields }: Message): boolean {
  const response_code = fields[39] ?? ''
  return APPROVED.has(response_code) || response_code === PARTIAL
}

/**
 * Whether an advice is done with. Any decided answer ends a release of ours. A reversal of a
 * message whose outcome is not known ends only by an answer after which nothing of it is in effect.
 */
export function isAcknowledged(outcome: Outcome, reverses: boolean): boolean {
  if (outcome.kind !== 'answered') return false
  return !reverses || TAKEN_BACK.has(outcome.response_code)
}

export function resendAt(now: Date, attempts: number): Date {
  const seconds = Math.min(RESEND_MAX_SECONDS, 2 ** Math.min(attempts, 10))
  return new Date(now.getTime() + seconds * 1000)
}

/** The fields that an answer shares with its request (docs/iso8583.md 7). */
export function matchKey({ mti, fields }: Message): string {
  const type = mtiClass(mti)
  const parts =
    type === '0800' ? [fields[7], fields[11], fields[33]] : [7, 11, 32, 37].map((de) => fields[de])
  return [type, ...parts.map((part) => part ?? '')].join('|')
}

type Load = { underWay: number; isSilent: boolean }

/**
 * The connection that takes the next request: the one with the fewest under way, and of equal ones
 * each in its `turn`. One on which an answer is overdue and nothing came since is the last choice.
 */
export function leastBusy<One extends Load>(open: readonly One[], turn: number): One | undefined {
  const from = turn % Math.max(open.length, 1)
  const inTurn = [...open.slice(from), ...open.slice(0, from)]
  return inTurn.reduce<One | undefined>((best, one) => {
    if (!best || Number(one.isSilent) < Number(best.isSilent)) return one
    return one.isSilent === best.isSilent && one.underWay < best.underWay ? one : best
  }, undefined)
}
