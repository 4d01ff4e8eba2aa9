/** The reactions of tokens to events of cards, in the same transaction. */

import type { Reactions } from '#kit/slice.ts'
import { deleteTokensOf } from './tokens.ts'

export const tokenReactions: Reactions = {
  /** `object_id` is the card, which the reporting transaction has locked. */
  async CARD_STATUS_CHANGE(tx, { object_id, payload }) {
    if (payload.card_status_change.new_status !== 'TERMINATED') return
    await deleteTokensOf(tx, object_id)
  },
}
