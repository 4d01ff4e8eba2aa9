/** The contract of cards (D-30, D-31, D-36, D-104, D-110). */

import { type Static, type TSchema, Type } from 'typebox'
import {
  authSettingsAnswer,
  authSettingsInput,
  listIdsAnswer,
  listIdsInput,
} from '#issuing/products/schema.ts'
import { Instant, Line, ListQuery, Name, Note, Nullable, OneOf, Strict, Uuid } from '#kit/schema.ts'

export const cardStatuses = ['INACTIVE', 'ACTIVE', 'SUSPENDED', 'TERMINATED'] as const
export const CardStatus = OneOf(cardStatuses)
export type CardStatus = Static<typeof CardStatus>

/** Why a card has its status (D-31). */
export const statusReasons = [
  'I0',
  'a0',
  'A0',
  'S0',
  'S1',
  'S2',
  'P0',
  'AT',
  'ST',
  'T0',
  'T1',
  'T2',
  'T3',
  'T4',
] as const
export const StatusReason = OneOf(statusReasons)
export type StatusReason = Static<typeof StatusReason>

export const cardTypes = ['VIRTUAL', 'PHYSICAL'] as const
export const CardType = OneOf(cardTypes)
export type CardType = Static<typeof CardType>

const DeliveryMethod = OneOf(['COURIER', 'MAIL', 'PICKUP'])
export const fulfillmentStatuses = ['CREATED', 'ORDERED', 'SHIPPED', 'DELIVERED', 'FAILED'] as const
export const FulfillmentStatus = OneOf(fulfillmentStatuses)
export type FulfillmentStatus = Static<typeof FulfillmentStatus>
const Month = Type.String({ pattern: '^[0-9]{4}-(0[1-9]|1[0-2])$' })

function shippingOf<Text extends TSchema>(text: Text) {
  return {
    name: text,
    mobile: text,
    address_line1: text,
    address_line2: text,
    city: text,
    state: text,
    postal_code: text,
    country: text,
  }
}
const Recipient = Type.Object(shippingOf(Type.Optional(Type.String())))
const ShippingDetails = Type.Object({
  method: Type.Optional(DeliveryMethod),
  address: Type.Optional(Recipient),
  return_address: Type.Optional(Recipient),
})
export type ShippingDetails = Static<typeof ShippingDetails>

const RecipientInput = Strict(shippingOf(Type.Optional(Nullable(Line))))
export type RecipientInput = Static<typeof RecipientInput>
const ShippingInput = Strict({
  method: Type.Optional(Nullable(DeliveryMethod)),
  address: Type.Optional(Nullable(RecipientInput)),
  return_address: Type.Optional(Nullable(RecipientInput)),
})
export type ShippingInput = Static<typeof ShippingInput>

/** What a client may say of a card at creation and later. `null` clears (D-3). */
const changeable = {
  name_on_card: Type.Optional(Nullable(Name)),
  shipping_details: Type.Optional(Nullable(ShippingInput)),
  delivery_method: Type.Optional(Nullable(DeliveryMethod)),
  ...listIdsInput,
}

export const NewCard = Strict({
  id: Type.Optional(Uuid),
  user_id: Uuid,
  card_type: CardType,
  card_product_id: Uuid,
  expiry_date: Type.Optional(Month),
  account_id: Type.Optional(Uuid),
  reference_card_id: Type.Optional(Uuid),
  auth_settings: Type.Optional(Strict(authSettingsInput)),
  ...changeable,
})
export type NewCard = Static<typeof NewCard>

export const CardChanges = Strict({
  ...changeable,
  /** Sends a virtual card on its way to plastic (D-32); false says nothing. */
  change_to_physical: Type.Optional(Type.Boolean()),
})
export type CardChanges = Static<typeof CardChanges>

/** Whose the card becomes, and on which account; one is opened where neither names any (D-111). */
export const CardLink = Strict({ user_id: Uuid, account_id: Type.Optional(Uuid) })
export type CardLink = Static<typeof CardLink>

/** The card as clients see it: of its number only what may be shown. */
export const Card = Type.Object(
  {
    id: Uuid,
    user_id: Type.Optional(Uuid),
    card_product_id: Uuid,
    account_id: Type.Optional(Uuid),
    card_type: CardType,
    status: CardStatus,
    status_reason_code: StatusReason,
    name_on_card: Type.Optional(Type.String()),
    masked_card_number: Type.String(),
    bin: Type.String(),
    last_four: Type.String(),
    expiry_date: Month,
    reference_card_id: Type.Optional(Uuid),
    replaced_by_card_id: Type.Optional(Uuid),
    bulk_issuance_id: Type.Optional(Uuid),
    fulfillment_status: Type.Optional(FulfillmentStatus),
    delivery_partner: Type.Optional(Type.String()),
    tracking_number: Type.Optional(Type.String()),
    shipping_details: Type.Optional(ShippingDetails),
    delivery_method: Type.Optional(DeliveryMethod),
    auth_settings: Type.Object(authSettingsAnswer),
    ...listIdsAnswer,
    created: Instant,
    modified: Instant,
  },
  { title: 'Card' },
)
export type Card = Static<typeof Card>

export const CardQuery = ListQuery({
  user_id: Type.Optional(Uuid),
  status: Type.Optional(CardStatus),
  card_product_id: Type.Optional(Uuid),
  bulk_issuance_id: Type.Optional(Uuid),
  last_four: Type.Optional(Type.String({ pattern: '^[0-9]{4}$' })),
})
export type CardQuery = Static<typeof CardQuery>

/** Why, in the client's words; it travels in the event (D-61). */
const ChangeNote = Strict({
  category: Type.Optional(Name),
  description: Type.Optional(Note),
  extras: Type.Optional(Type.Record(Type.String({ maxLength: 100 }), Line, { maxProperties: 20 })),
})
export const StatusChange = Strict({
  status: CardStatus,
  status_reason_code: StatusReason,
  note: Type.Optional(ChangeNote),
})
export type StatusChange = Static<typeof StatusChange>

/** Who brings the plastic, and under which number. */
export const delivery = {
  delivery_partner: Type.Optional(Name),
  tracking_number: Type.Optional(Name),
}
export const FulfillmentChange = Strict({ fulfillment_status: FulfillmentStatus, ...delivery })
export type FulfillmentChange = Static<typeof FulfillmentChange>

/** The card's own switches and amounts with its three lists beside them (D-104). */
export const CardAuthSettingsInput = Strict({ ...authSettingsInput, ...listIdsInput })
export type CardAuthSettingsInput = Static<typeof CardAuthSettingsInput>
export const CardAuthSettings = Type.Object(
  { ...authSettingsAnswer, ...listIdsAnswer },
  { title: 'CardAuthSettings' },
)

/** The one answer that carries a card number. */
export const RevealedCard = Type.Object(
  { id: Uuid, card_number: Type.String(), expiry_date: Month, cvv2: Type.String() },
  { title: 'RevealedCard' },
)
