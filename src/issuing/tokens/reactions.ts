/** What tokens do on events of cards, in the transaction of their cause. */

import type { Reaction } from '#kit/slice.ts'
import { deleteTokensOf } from './tokens.ts'

export const tokenReactions: Readonly<Record<string, Reaction>> = {
  /** The card is named by `object_id`; whoever reports its change has locked it. */
  async CARD_STATUS_CHANGE(tx, { object_id, payload }) {
    if (isTermination(payload['card_status_change'])) await deleteTokensOf(tx, object_id)
  },
}

const isTermination = (change: unknown) =>
  typeof change === 'object' &&
  change !== null &&
  'new_status' in change &&
  change.new_status === 'TERMINATED'
