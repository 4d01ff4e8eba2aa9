/** A refused card: what the customer is told of it, and when there is no further try (D-83). */

/** The third refusal ends a checkout. */
export const REFUSALS_MAX = 3

/** In the place of DE39 where no answer came. */
export const UNANSWERED = 'UNANSWERED'

export const reasons = [
  'funds',
  'data',
  'security',
  'limit',
  'unusable',
  'proof',
  'away',
  'declined',
] as const
/** The kinds of refusal that have words of their own. */
export type Reason = (typeof reasons)[number]

const codesOf: Partial<Record<Reason, readonly string[]>> = {
  funds: ['51'],
  data: ['14', '54'],
  security: ['63', '82', 'N7'],
  limit: ['13', '61', '65'],
  unusable: ['41', '43', '46', '57', '58', '62', '78'],
  proof: ['1A'],
  away: ['68', '91', '96', UNANSWERED],
}

/** Why a card was refused, by DE39. Thieves are not told more than others. */
export function reasonOf(response_code: string): Reason {
  return reasons.find((reason) => codesOf[reason]?.includes(response_code)) ?? 'declined'
}
