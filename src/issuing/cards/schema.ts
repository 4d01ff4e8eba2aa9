/** The contract of cards (D-30, D-31, D-36, D-104, D-110). */

import { type Static, type TSchema, Type } from 'typebox'
import {
  authSettingsAnswer,
  authSettingsInput,
  listIdsAnswer,
  listIdsInput,
} from '#issuing/products/schema.ts'
import { Instant, Line, ListQuery, Name, Note, Nullable, OneOf, Strict, Uuid } from '#kit/schema.ts'

export const CardStatus = OneOf(['INACTIVE', 'ACTIVE', 'SUSPENDED', 'TERMINATED'])
export type CardStatus = Static<typeof CardStatus>

/** Why a card has its status (D-31). */
export const StatusReason = OneOf([
  'I0', // new
  'a0', // activated
  'A0', // active
  'S0', // suspended by the client
  'S1', // suspended by the operator
  'S2', // suspended by risk
  'P0', // blocked after wrong provisioning
  'AT', // on its way to plastic
  'ST', // suspended on its way to plastic
  'T0', // terminated
  'T1', // lost
  'T2', // stolen
  'T3', // replaced
  'T4', // expired
])
export type StatusReason = Static<typeof StatusReason>

export const CardType = OneOf(['VIRTUAL', 'PHYSICAL'])
export type CardType = Static<typeof CardType>

const DeliveryMethod = OneOf(['COURIER', 'MAIL', 'PICKUP'])
export const FulfillmentStatus = OneOf(['CREATED', 'ORDERED', 'SHIPPED', 'DELIVERED', 'FAILED'])
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

export const CardChanges = Strict(changeable)
export type CardChanges = Static<typeof CardChanges>

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
