/** The events of cards (D-60, D-61). They contain no digit of a card number. */

import { Type } from 'typebox'
import { defineEvent } from '#kit/event.ts'
import { Field, Instant, Uuid } from '#kit/http/schema.ts'
import {
  CardStatus,
  CardType,
  delivery,
  FulfillmentStatus,
  StatusChange,
  StatusReason,
} from './schema.ts'
import type { StoredCard } from './store.ts'

const card_id = Field('Id of the card.', Uuid)

const creation = defineEvent({
  event: 'SUCCESSFULLY_CREATED',
  emitted: 'A card is created, by itself or in bulk.',
  object: 'card',
  payload: {
    object: Type.Literal('card', { description: 'Kind of the created object.' }),
    card_id,
    user_id: Type.Optional(Field('Id of the user; absent until the card is linked to one.', Uuid)),
    card_product_id: Field('Id of the card product.', Uuid),
    account_id: Type.Optional(Field('Id of the account; absent if the card has none.', Uuid)),
    reference_card_id: Type.Optional(Field('Id of the card that the new card replaces.', Uuid)),
    card_type: Field('VIRTUAL or PHYSICAL.', CardType),
    status: Field('Status of the card.', CardStatus),
    status_reason_code: Field('Reason code of the status.', StatusReason),
  },
})

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

export function cardCreated(card: Created) {
  const { id, user_id, card_product_id, account_id, card_type } = card
  const { status, status_reason_code, reference_card_id } = card
  return creation.about(id, {
    object: 'card',
    card_id: id,
    ...(user_id !== null && { user_id }),
    card_product_id,
    ...(account_id !== null && { account_id }),
    ...(reference_card_id !== null && { reference_card_id }),
    card_type,
    status,
    status_reason_code,
  })
}

const change = defineEvent({
  event: 'CARD_STATUS_CHANGE',
  emitted: "A card's status or its reason code changes, by a call or by a rule.",
  object: 'card',
  payload: {
    card_status_change: Type.Object(
      {
        card_id,
        old_status: Field('Status before the change.', CardStatus),
        new_status: Field('Status after the change.', CardStatus),
        old_status_reason_code: Field('Reason code before the change.', StatusReason),
        status_reason_code: Field('Reason code after the change.', StatusReason),
        note: StatusChange.properties.note,
      },
      { description: 'Change of the status of the card.' },
    ),
  },
})

type State = Pick<StoredCard, 'status' | 'status_reason_code'>

export function cardStatusChange(
  before: State,
  after: State & { id: string },
  note?: StatusChange['note'],
) {
  return change.about(after.id, {
    card_status_change: {
      card_id: after.id,
      old_status: before.status,
      new_status: after.status,
      old_status_reason_code: before.status_reason_code,
      status_reason_code: after.status_reason_code,
      ...(note && { note }),
    },
  })
}

const assignment = defineEvent({
  event: 'CARD_DELIVERY_PARTNER_ASSIGNED',
  emitted: 'A courier takes over the delivery of a physical card.',
  object: 'card',
  payload: { card_id, ...delivery },
})

export function deliveryPartnerAssigned(card: StoredCard) {
  return assignment.about(card.id, { card_id: card.id, ...deliveryOf(card) })
}

const progress = defineEvent({
  event: 'CARD_DELIVERY_STATUS_CHANGED',
  emitted: 'The making or the delivery of a physical card moves on.',
  object: 'card',
  payload: {
    card_id,
    old_status: Field('Fulfillment status before the change.', FulfillmentStatus),
    new_status: Field('Fulfillment status after the change.', FulfillmentStatus),
    ...delivery,
  },
})

/** Both cards have a fulfillment. */
export function deliveryStatusChanged(
  { fulfillment_status: old_status }: Pick<StoredCard, 'fulfillment_status'>,
  after: StoredCard,
) {
  const { id: card_id, fulfillment_status: new_status } = after
  if (!old_status || !new_status) throw new Error(`card ${card_id} has no fulfillment`)
  return progress.about(card_id, { card_id, old_status, new_status, ...deliveryOf(after) })
}

type Delivery = Pick<StoredCard, 'delivery_partner' | 'tracking_number'>

const deliveryOf = ({ delivery_partner, tracking_number }: Delivery) => ({
  ...(delivery_partner !== null && { delivery_partner }),
  ...(tracking_number !== null && { tracking_number }),
})

const limited = defineEvent({
  event: 'CARD_DETAILS_LIMIT',
  emitted:
    'Card details are not shown for the first time in an hour, since `card_details_per_hour` ' +
    'have been: the number of a card or token by `:reveal`, or in a widget.',
  object: 'tenant',
  payload: {
    tenant_id: Field('Id of the tenant.', Uuid),
    card_details_per_hour: Type.Integer({ description: 'The limit, of the settings.' }),
    hour: Field('When the hour began.', Instant),
  },
})

export const cardDetailsLimited = (tenant_id: string, hour: Date, card_details_per_hour: number) =>
  limited.about(tenant_id, { tenant_id, card_details_per_hour, hour })

export const cardEvents = [creation, change, assignment, progress, limited] as const

declare module '#kit/event.ts' {
  interface EmittedKinds {
    cards: typeof cardEvents
  }
}
