/** The life of a challenge (D-1090). */

import type { ChallengeRow, ChallengeStatus } from './schema.ts'

/** The lifetime of a challenge, on the tenant's clock. */
export const CHALLENGE_MS = 5 * 60 * 1000
/** The third wrong code ends the challenge. */
export const TRIES_MAX = 3

export const statusOf = ({ status, expires }: ChallengeRow, now: Date): ChallengeStatus =>
  status === 'PENDING' && expires <= now ? 'EXPIRED' : status
