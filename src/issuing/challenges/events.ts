/** The event of challenges: an app asks its cardholder (D-1090). */

import { defineEvent } from '#kit/event.ts'
import { presentChallenge } from './present.ts'
import { Challenge, type ChallengeRow } from './schema.ts'

const created = defineEvent({
  event: 'CHALLENGE_CREATED',
  emitted: 'A cardholder is asked to confirm a payment, by a code or in an app.',
  object: 'challenge',
  payload: { challenge: Challenge },
})

export const challengeCreated = (row: ChallengeRow) =>
  created.about(row.id, { challenge: presentChallenge(row, row.created) })

export const challengeEvents = [created] as const

declare module '#kit/event.ts' {
  interface EmittedKinds {
    challenges: typeof challengeEvents
  }
}
