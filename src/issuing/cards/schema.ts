/** The API schemas of cards (D-30, D-31, D-36, D-104, D-110). */

import { type Static, type TSchema, Type } from 'typebox'
import {
  authSettingsAnswer,
  authSettingsInput,
  listIdsAnswer,
  listIdsInput,
} from '#issuing/products/schema.ts'
import {
  Field,
  Instant,
  Line,
  ListQuery,
  Name,
  Note,
  Nullable,
  OneOf,
  Strict,
  Uuid,
} from '#kit/http/schema.ts'

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

const DELIVERY_METHOD = 'Way of delivery of the card.'
const DeliveryMethod = OneOf(['COURIER', 'MAIL', 'PICKUP'])
export const fulfillmentStatuses = ['CREATED', 'ORDERED', 'SHIPPED', 'DELIVERED', 'FAILED'] as const
export const FulfillmentStatus = OneOf(fulfillmentStatuses)
export type FulfillmentStatus = Static<typeof FulfillmentStatus>
const Month = Type.String({ pattern: '^[0-9]{4}-(0[1-9]|1[0-2])$' })

const ADDRESS = 'Recipient and address of the delivery.'
const RETURN_ADDRESS = 'Recipient and address for a card that cannot be delivered.'

function shippingOf<Text extends TSchema>(textOf: (description: string) => Text) {
  return {
    name: textOf('Name of the recipient.'),
    mobile: textOf('Phone number, stored as E.164.'),
    address_line1: textOf('First line of the address.'),
    address_line2: textOf('Second line of the address.'),
    city: textOf('City.'),
    state: textOf('State or province.'),
    postal_code: textOf('Postal code.'),
    country: textOf('Country, stored as ISO 3166-1 alpha-3.'),
  }
}
const Recipient = Type.Object(
  shippingOf((description) => Type.Optional(Type.String({ description }))),
)
const ShippingDetails = Type.Object({
  method: Type.Optional(Field(DELIVERY_METHOD, DeliveryMethod)),
  address: Type.Optional(Field(ADDRESS, Recipient)),
  return_address: Type.Optional(Field(RETURN_ADDRESS, Recipient)),
})
export type ShippingDetails = Static<typeof ShippingDetails>

const RecipientInput = Strict(
  shippingOf((description) => Type.Optional(Field(description, Nullable(Line)))),
)
export type RecipientInput = Static<typeof RecipientInput>
const ShippingInput = Strict({
  method: Type.Optional(Field(DELIVERY_METHOD, Nullable(DeliveryMethod))),
  address: Type.Optional(Field(ADDRESS, Nullable(RecipientInput))),
  return_address: Type.Optional(Field(RETURN_ADDRESS, Nullable(RecipientInput))),
})
export type ShippingInput = Static<typeof ShippingInput>

const NAME_ON_CARD =
  'Name on the card; at creation the default is the name of the user. That of a physical card, ' +
  "or of one that becomes physical, is 2 to 26 letters of A to Z, digits, blanks, . / - and '; " +
  'its default is transliterated where it has other letters, and shortened. That of a virtual ' +
  'card is any text that is not blank, without control characters. Marks of direction and blanks ' +
  'around it are cut.'

/** The members that a client may set at creation and later. `null` clears (D-3). */
const changeable = {
  name_on_card: Type.Optional(Field(NAME_ON_CARD, Nullable(Name))),
  shipping_details: Type.Optional(
    Field(
      'Delivery of the card; members that are sent replace stored ones.',
      Nullable(ShippingInput),
    ),
  ),
  delivery_method: Type.Optional(Field(DELIVERY_METHOD, Nullable(DeliveryMethod))),
  ...listIdsInput,
}

export const NewCard = Strict({
  id: Type.Optional(Field('Id of the card; generated when left out.', Uuid)),
  user_id: Field('Id of the user that gets the card; the user must be ACTIVE.', Uuid),
  card_type: Field(
    'VIRTUAL or PHYSICAL; a physical card is ordered from the bureau at `card_order_hour`.',
    CardType,
  ),
  card_product_id: Field('Id of the card product.', Uuid),
  expiry_date: Type.Optional(
    Field('Last valid month, YYYY-MM, at most ten years ahead; default by the product.', Month),
  ),
  account_id: Type.Optional(
    Field('Id of an account of the same user and product; a new one by default.', Uuid),
  ),
  reference_card_id: Type.Optional(
    Field('Id of the TERMINATED card that this card replaces.', Uuid),
  ),
  auth_settings: Type.Optional(
    Field('Authorization switches and amount bounds of the card.', Strict(authSettingsInput)),
  ),
  ...changeable,
})
export type NewCard = Static<typeof NewCard>

export const CardChanges = Strict({
  ...changeable,
  change_to_physical: Type.Optional(
    Type.Boolean({
      description:
        'true starts the migration to a physical card; false, the default, does nothing. A name ' +
        'that cannot be embossed is transliterated and shortened, or that of the user is taken.',
    }),
  ),
})
export type CardChanges = Static<typeof CardChanges>

/** User and account of the card; an account is opened when neither names one (D-111). */
export const CardLink = Strict({
  user_id: Field('Id of the user that gets the card; the user must be ACTIVE.', Uuid),
  account_id: Type.Optional(
    Field('Id of an account of the user; default the account of the card or a new one.', Uuid),
  ),
})
export type CardLink = Static<typeof CardLink>

/** The card as the API returns it: its number is masked. */
export const Card = Type.Object(
  {
    id: Field('Id of the card.', Uuid),
    user_id: Type.Optional(Field('Id of the user that holds the card; absent until linked.', Uuid)),
    card_product_id: Field('Id of the card product.', Uuid),
    account_id: Type.Optional(Field('Id of the account of the card; absent until linked.', Uuid)),
    card_type: Field('VIRTUAL or PHYSICAL.', CardType),
    status: Field('Status of the card; TERMINATED is final.', CardStatus),
    status_reason_code: Field('Why the card has its status.', StatusReason),
    name_on_card: Type.Optional(
      Type.String({
        description: 'Name on the card; that of a physical card is embossed in upper case.',
      }),
    ),
    masked_card_number: Type.String({
      description: 'First six and last four digits of the card number, with asterisks between.',
    }),
    bin: Type.String({ description: 'Bank identification number: 6 to 8 digits.' }),
    last_four: Type.String({ description: 'Last four digits of the card number.' }),
    expiry_date: Field('Last month in which the card is valid, YYYY-MM.', Month),
    reference_card_id: Type.Optional(Field('Id of the card that this card replaces.', Uuid)),
    replaced_by_card_id: Type.Optional(Field('Id of the card that replaces this card.', Uuid)),
    bulk_issuance_id: Type.Optional(Field('Id of the bulk issuance that issued the card.', Uuid)),
    fulfillment_status: Type.Optional(
      Field('How far production and delivery are; absent for a virtual card.', FulfillmentStatus),
    ),
    card_order_id: Type.Optional(
      Field('Id of the batch that the bureau makes the card in; absent before.', Uuid),
    ),
    delivery_partner: Type.Optional(Type.String({ description: 'Carrier of the card.' })),
    tracking_number: Type.Optional(
      Type.String({ description: 'Tracking number given by the carrier.' }),
    ),
    shipping_details: Type.Optional(Field('Delivery of the card.', ShippingDetails)),
    delivery_method: Type.Optional(Field(DELIVERY_METHOD, DeliveryMethod)),
    auth_settings: Type.Object(authSettingsAnswer, {
      description: 'Authorization switches and amount bounds of the card.',
    }),
    ...listIdsAnswer,
    created: Field('Time at which the card was issued.', Instant),
    modified: Field('Time of the last change.', Instant),
  },
  { title: 'Card' },
)
export type Card = Static<typeof Card>

export const CardQuery = ListQuery({
  user_id: Type.Optional(Field('Only cards of this user.', Uuid)),
  status: Type.Optional(Field('Only cards with this status.', CardStatus)),
  card_product_id: Type.Optional(Field('Only cards of this card product.', Uuid)),
  bulk_issuance_id: Type.Optional(Field('Only cards of this bulk issuance.', Uuid)),
  card_order_id: Type.Optional(
    Field('Only cards of this batch; a card that was ordered anew is of its later one.', Uuid),
  ),
  last_four: Type.Optional(
    Type.String({
      pattern: '^[0-9]{4}$',
      description: 'Only cards whose number ends in these four digits.',
    }),
  ),
})
export type CardQuery = Static<typeof CardQuery>

/** The client's own explanation; the event contains it (D-61). */
const ChangeNote = Strict({
  category: Type.Optional(Field('Category of the change, 1 to 100 characters.', Name)),
  description: Type.Optional(Field('Explanation, at most 1000 characters.', Note)),
  extras: Type.Optional(
    Type.Record(Type.String({ maxLength: 100 }), Line, {
      maxProperties: 20,
      description: 'At most 20 further texts by name, each of at most 200 characters.',
    }),
  ),
})
export const StatusChange = Strict({
  status: Field('New status of the card.', CardStatus),
  status_reason_code: Field('Reason of the new status.', StatusReason),
  note: Type.Optional(Field('Explanation that CARD_STATUS_CHANGE contains.', ChangeNote)),
})
export type StatusChange = Static<typeof StatusChange>

/** The carrier of a physical card, and its tracking number. */
export const delivery = {
  delivery_partner: Type.Optional(Field('Carrier of the card.', Name)),
  tracking_number: Type.Optional(Field('Tracking number given by the carrier.', Name)),
}
export const FulfillmentChange = Strict({
  fulfillment_status: Field('Next fulfillment status of the card.', FulfillmentStatus),
  ...delivery,
})
export type FulfillmentChange = Static<typeof FulfillmentChange>

/** The switches and amounts of the card and its three lists (D-104). */
export const CardAuthSettingsInput = Strict({ ...authSettingsInput, ...listIdsInput })
export type CardAuthSettingsInput = Static<typeof CardAuthSettingsInput>
export const CardAuthSettings = Type.Object(
  { ...authSettingsAnswer, ...listIdsAnswer },
  { title: 'CardAuthSettings' },
)

/** The only answer that contains the full card number. */
export const RevealedCard = Type.Object(
  {
    id: Field('Id of the card.', Uuid),
    card_number: Type.String({ description: 'Full card number, digits only.' }),
    expiry_date: Field('Last month in which the card is valid, YYYY-MM.', Month),
    cvv2: Type.String({ description: 'Three digits.' }),
  },
  { title: 'RevealedCard' },
)
