/** A declined card: the reason that the customer sees, and the number of tries (D-83). */

import type { Failure } from '../schema.ts'

/** The third decline ends a checkout. */
export const DECLINES_MAX = 3

/** Replaces DE39 if no answer came. */
export const UNANSWERED = 'UNANSWERED'
/** Replaces DE39 if nothing was sent: the issuer got wrong codes from the customer (D-743). */
export const UNAUTHENTICATED = 'UNAUTHENTICATED'

export const reasons = [
  'funds',
  'data',
  'security',
  'limit',
  'unusable',
  'proof',
  'identity',
  'away',
  'declined',
] as const
/** The kinds of decline that have a text. */
export type Reason = (typeof reasons)[number]

const codesOf: Partial<Record<Reason, readonly string[]>> = {
  funds: ['51'],
  data: ['14', '54'],
  security: ['63', '82', 'N7'],
  limit: ['13', '61', '65'],
  unusable: ['41', '43', '46', '57', '58', '62', '78'],
  proof: ['1A'],
  identity: [UNAUTHENTICATED],
  away: ['68', '91', '96', UNANSWERED],
}

/** Why a card was declined, by DE39. A stolen card gets no reason of its own. */
export function reasonOf(response_code: string): Reason {
  return reasons.find((reason) => codesOf[reason]?.includes(response_code)) ?? 'declined'
}

/** Recurring payments that the cardholder or the issuer has stopped (1895). */
const RECURRING_STOPPED = 'R0'

/** The reason that a shop gets where no customer reads a sentence (D-776). */
const failureOfReason: Readonly<Record<Reason, Failure>> = {
  funds: 'insufficient_funds',
  data: 'card_data_wrong',
  security: 'security_failed',
  limit: 'limit_exceeded',
  unusable: 'card_unusable',
  proof: 'authentication_required',
  identity: 'authentication_required',
  away: 'issuer_unavailable',
  declined: 'declined',
}

/** Why a payment with a kept card failed, by DE39. */
export const failureOf = (response_code: string): Failure =>
  response_code === RECURRING_STOPPED
    ? 'recurring_stopped'
    : failureOfReason[reasonOf(response_code)]
