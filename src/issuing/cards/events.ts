/** The events of cards (D-60, D-61). They contain no digit of a card number. */

import type { Event } from '#kit/event.ts'
import type { StatusChange } from './schema.ts'
import type { StoredCard } from './store.ts'

type Created = Pick<
  StoredCard,
  | 'id'
  | 'user_id'
  | 'card_product_id'
  | 'account_id'
  | 'card_type'
  | 'status'
  | 'status_reason_code'
  | 'reference_card_id'
>

export function cardCreated(card: Created): Event {
  const { id, user_id, card_product_id, account_id, card_type } = card
  const { status, status_reason_code, reference_card_id } = card
  return {
    event: 'SUCCESSFULLY_CREATED',
    object_id: id,
    payload: {
      object: 'card',
      card_id: id,
      ...(user_id !== null && { user_id }),
      card_product_id,
      ...(account_id !== null && { account_id }),
      ...(reference_card_id !== null && { reference_card_id }),
      card_type,
      status,
      status_reason_code,
    },
  }
}

type State = Pick<StoredCard, 'status' | 'status_reason_code'>

export function cardStatusChange(
  before: State,
  after: State & { id: string },
  note?: StatusChange['note'],
): Event {
  return {
    event: 'CARD_STATUS_CHANGE',
    object_id: after.id,
    payload: {
      card_status_change: {
        card_id: after.id,
        old_status: before.status,
        new_status: after.status,
        old_status_reason_code: before.status_reason_code,
        status_reason_code: after.status_reason_code,
        ...(note && { note }),
      },
    },
  }
}

export function deliveryPartnerAssigned(card: StoredCard): Event {
  return {
    event: 'CARD_DELIVERY_PARTNER_ASSIGNED',
    object_id: card.id,
    payload: { card_id: card.id, ...deliveryOf(card) },
  }
}

export function deliveryStatusChanged(
  { fulfillment_status }: Pick<StoredCard, 'fulfillment_status'>,
  after: StoredCard,
): Event {
  return {
    event: 'CARD_DELIVERY_STATUS_CHANGED',
    object_id: after.id,
    payload: {
      card_id: after.id,
      old_status: fulfillment_status,
      new_status: after.fulfillment_status,
      ...deliveryOf(after),
    },
  }
}

type Delivery = Pick<StoredCard, 'delivery_partner' | 'tracking_number'>

const deliveryOf = ({ delivery_partner, tracking_number }: Delivery) => ({
  ...(delivery_partner !== null && { delivery_partner }),
  ...(tracking_number !== null && { tracking_number }),
})
