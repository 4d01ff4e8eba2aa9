/** The reactions of tokens to events of cards, in the same transaction. */

import type { Reaction } from '#kit/slice.ts'
import { deleteTokensOf } from './tokens.ts'

export const tokenReactions: Readonly<Record<string, Reaction>> = {
  /** `object_id` is the card, which the reporting transaction has locked. */
  async CARD_STATUS_CHANGE(tx, { object_id, payload }) {
    if (isTermination(payload['card_status_change'])) await deleteTokensOf(tx, object_id)
  },
}

const isTermination = (change: unknown) =>
  typeof change === 'object' &&
  change !== null &&
  'new_status' in change &&
  change.new_status === 'TERMINATED'
