/** What an issuer's answers mean, and when to ask again. */

import type { Message } from '#iso8583/message.ts'
import { mtiClass } from '#iso8583/mti.ts'

export type Outcome =
  | { kind: 'answered'; approved: boolean; response_code: string; approval_code: string | null }
  /** It certainly never left this process. */
  | { kind: 'unsent' }
  /** It may have arrived: what it asked for is taken back (D-87). */
  | { kind: 'unanswered' }

/** DE39 that promise the whole amount; we never say that we take less, so 10 is not among them. */
const APPROVED = new Set(['00', '08', '11', '85'])

/** The issuer is still at the same message: its answer is fetched by asking again. */
export const STILL_WORKING = '94'

/** The issuer could not take the advice up, so it is sent again; everything else settles it. */
const NOT_TAKEN_UP = new Set(['68', '91', '96', STILL_WORKING])

/** Seconds from one sending of an advice to the next: doubling, ten minutes at most. */
const RESEND_MAX_SECONDS = 600

export function outcomeOf({ fields }: Message): Outcome {
  const response_code = fields[39] ?? '96'
  const approved = APPROVED.has(response_code)
  return { kind: 'answered', approved, response_code, approval_code: fields[38] ?? null }
}

export function isAcknowledged(outcome: Outcome): boolean {
  return outcome.kind === 'answered' && !NOT_TAKEN_UP.has(outcome.response_code)
}

export function resendAt(now: Date, attempts: number): Date {
  const seconds = Math.min(RESEND_MAX_SECONDS, 2 ** Math.min(attempts, 10))
  return new Date(now.getTime() + seconds * 1000)
}

/** What an answer shares with its question (docs/iso8583.md 7). */
export function matchKey({ mti, fields }: Message): string {
  const type = mtiClass(mti)
  const parts =
    type === '0800' ? [fields[7], fields[11], fields[33]] : [7, 11, 32, 37].map((de) => fields[de])
  return [type, ...parts.map((part) => part ?? '')].join('|')
}
