import type { Event } from '#kit/event.ts'

type Opened = { id: string; currency: string; user_id: string | null; card_product_id: string }

/** SUCCESSFULLY_CREATED of an account (D-60), which opens ACTIVE and empty. */
export function accountCreated({ id, currency, user_id, card_product_id }: Opened): Event {
  return {
    event: 'SUCCESSFULLY_CREATED',
    object_id: id,
    payload: {
      object: 'account',
      account_id: id,
      ...(user_id !== null && { user_id }),
      card_product_id,
      currency,
      status: 'ACTIVE',
    },
  }
}
