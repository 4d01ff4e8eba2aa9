/** A stored challenge as it is answered and reported: nothing of its code is in it. */

import { formatAmount } from '#lib/money.ts'
import { statusOf, TRIES_MAX } from './rules.ts'
import type { Challenge, ChallengeRow } from './schema.ts'

export function presentChallenge(row: ChallengeRow, now: Date): Challenge {
  const { id, card_id, user_id, currency, merchant_id, merchant_name } = row
  const { messenger, sending, expires, passed, created, modified } = row
  const status = statusOf(row, now)
  return {
    id,
    card_id,
    ...(user_id !== null && { user_id }),
    status,
    amount: formatAmount(row.amount, currency),
    currency,
    merchant: { id: merchant_id, name: merchant_name },
    messenger,
    sending,
    tries_left: status === 'PENDING' && row.code_digest ? TRIES_MAX - row.tries : 0,
    expires,
    ...(passed !== null && { passed }),
    created,
    modified,
  }
}
