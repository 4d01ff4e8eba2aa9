/** The API schemas of bulk issuance (D-38, D-117). */

import { type Static, Type } from 'typebox'
import { FulfillmentStatus } from '#issuing/cards/schema.ts'
import {
  Amount,
  AmountInput,
  Currency,
  Field,
  Instant,
  ListOf,
  ListQuery,
  Name,
  Nullable,
  OneOf,
  Strict,
  Uuid,
} from '#kit/http/schema.ts'

/** Cards per call (docs/specs/card-issuing.md, Limits). */
export const CARDS_MAX = 5_000

const statuses = ['DRAFT', 'SUBMITTED', 'PROCESSING', 'COMPLETED', 'FAILED'] as const
export const BulkStatus = OneOf(statuses)
export type BulkStatus = Static<typeof BulkStatus>

const NumberOfCards = Type.Integer({
  minimum: 1,
  maximum: CARDS_MAX,
  description: 'Number of cards to issue.',
})
const NAME_ON_CARD =
  "Name to emboss on every card: 2 to 26 letters of A to Z, digits, blanks, . / - and '"
const ProductId = Field('Id of the card product of the cards.', Uuid)

export const NewBulkIssuance = Strict({
  id: Type.Optional(Field('Id of the bulk issuance; generated when left out.', Uuid)),
  status: Type.Optional(
    Field('DRAFT issues nothing yet; SUBMITTED is the default.', OneOf(['DRAFT', 'SUBMITTED'])),
  ),
  card_product_id: ProductId,
  number_of_cards: NumberOfCards,
  amount: Type.Optional(
    Field(
      'Amount to preload on each card, in major units, above zero; only with a product that ' +
        'links accounts.',
      AmountInput,
    ),
  ),
  currency: Type.Optional(
    Field('ISO 4217 code; must be the currency of the card product, its default.', Currency),
  ),
  name_on_card: Type.Optional(Field(`${NAME_ON_CARD}.`, Name)),
  dry_run: Type.Optional(
    Type.Boolean({ description: 'true checks the request and writes nothing; default false.' }),
  ),
})
export type NewBulkIssuance = Static<typeof NewBulkIssuance>

/** For a DRAFT: members left out are unchanged, `null` clears, status SUBMITTED submits it. */
export const BulkChanges = Strict({
  status: Type.Optional(
    Field('SUBMITTED submits the bulk issuance; DRAFT, the default, does not.', BulkStatus),
  ),
  card_product_id: Type.Optional(ProductId),
  number_of_cards: Type.Optional(NumberOfCards),
  amount: Type.Optional(
    Field(
      'Amount to preload on each card, in major units; required with a product of another ' +
        'currency; null clears it.',
      Nullable(AmountInput),
    ),
  ),
  currency: Type.Optional(
    Field('ISO 4217 code; must be the currency of the card product, its default.', Currency),
  ),
  name_on_card: Type.Optional(Field(`${NAME_ON_CARD}; null clears it.`, Nullable(Name))),
})
export type BulkChanges = Static<typeof BulkChanges>

/** Why no card was issued; with `needed` and `available` if numbers or funds were short. */
const BulkError = Type.Object({
  code: Type.String({
    description: 'Code of the error; 1853 when too few card numbers are left in the range.',
  }),
  message: Type.String({ description: 'Text of the error for people.' }),
  needed: Type.Optional(
    Type.Number({ description: 'Card numbers needed, or funds needed in major units.' }),
  ),
  available: Type.Optional(
    Type.Number({ description: 'Card numbers available, or funds available in major units.' }),
  ),
})
export type BulkError = Static<typeof BulkError>

const members = {
  status: Field('DRAFT, SUBMITTED, PROCESSING, then COMPLETED or FAILED.', BulkStatus),
  card_product_id: ProductId,
  number_of_cards: Type.Integer({ description: 'Number of cards requested.' }),
  issued_cards: Type.Integer({
    description: 'Number of cards issued so far; grows while the status is PROCESSING.',
  }),
  failed_cards: Type.Integer({
    description: 'Number of cards not issued: all of them when the status is FAILED, otherwise 0.',
  }),
  amount: Type.Optional(Field('Amount preloaded on each card, in major units.', Amount)),
  currency: Field('ISO 4217 code of the currency of the card product.', Currency),
  name_on_card: Type.Optional(Type.String({ description: 'Name embossed on every card.' })),
  dry_run: Type.Boolean({ description: 'true in the answer to a dry run, which is COMPLETED.' }),
  fulfillment_status: Type.Optional(
    Field(
      'FAILED when the fulfillment of a card failed, otherwise the status furthest behind.',
      FulfillmentStatus,
    ),
  ),
  error: Type.Optional(Field('Why no card was issued; present when FAILED.', BulkError)),
  created: Field('Time at which the bulk issuance was created.', Instant),
  modified: Field('Time of the last change.', Instant),
}
export const BulkIssuance = Type.Object(
  { id: Field('Id of the bulk issuance.', Uuid), ...members },
  { title: 'BulkIssuance' },
)
/** The answer to a POST, which has no id after a dry run. */
export const CreatedBulkIssuance = Type.Object(
  { id: Type.Optional(Field('Id of the bulk issuance; absent in a dry run.', Uuid)), ...members },
  { title: 'CreatedBulkIssuance' },
)
export const BulkIssuanceList = ListOf(BulkIssuance)
export const BulkQuery = ListQuery({})
export type BulkQuery = Static<typeof BulkQuery>
