/** The contract of bulk issuance (D-38, D-117). */

import { type Static, Type } from 'typebox'
import { FulfillmentStatus } from '#issuing/cards/schema.ts'
import {
  Amount,
  AmountInput,
  Currency,
  Instant,
  ListOf,
  ListQuery,
  Name,
  Nullable,
  OneOf,
  Strict,
  Uuid,
} from '#kit/schema.ts'

/** Cards per call (specification, "Limits"). */
export const CARDS_MAX = 5_000

const statuses = ['DRAFT', 'SUBMITTED', 'PROCESSING', 'COMPLETED', 'FAILED'] as const
export const BulkStatus = OneOf(statuses)
export type BulkStatus = Static<typeof BulkStatus>

const NumberOfCards = Type.Integer({ minimum: 1, maximum: CARDS_MAX })

export const NewBulkIssuance = Strict({
  id: Type.Optional(Uuid),
  status: Type.Optional(OneOf(['DRAFT', 'SUBMITTED'])),
  card_product_id: Uuid,
  number_of_cards: NumberOfCards,
  /** Preloaded on each card. */
  amount: Type.Optional(AmountInput),
  /** That of the card product, which is also what is meant when it is left out. */
  currency: Type.Optional(Currency),
  name_on_card: Type.Optional(Name),
  dry_run: Type.Optional(Type.Boolean()),
})
export type NewBulkIssuance = Static<typeof NewBulkIssuance>

/** For a DRAFT: what is left out stays, `null` clears, status SUBMITTED submits it. */
export const BulkChanges = Strict({
  status: Type.Optional(BulkStatus),
  card_product_id: Type.Optional(Uuid),
  number_of_cards: Type.Optional(NumberOfCards),
  amount: Type.Optional(Nullable(AmountInput)),
  currency: Type.Optional(Currency),
  name_on_card: Type.Optional(Nullable(Name)),
})
export type BulkChanges = Static<typeof BulkChanges>

/** Why nothing was issued; `needed` and `available` where numbers or money were short. */
const BulkError = Type.Object({
  code: Type.String(),
  message: Type.String(),
  needed: Type.Optional(Type.Number()),
  available: Type.Optional(Type.Number()),
})
export type BulkError = Static<typeof BulkError>

const members = {
  status: BulkStatus,
  card_product_id: Uuid,
  number_of_cards: Type.Integer(),
  /** Grows while the status is PROCESSING. */
  issued_cards: Type.Integer(),
  failed_cards: Type.Integer(),
  amount: Type.Optional(Amount),
  currency: Currency,
  name_on_card: Type.Optional(Type.String()),
  dry_run: Type.Boolean(),
  /** FAILED where the plastic of a card has failed, otherwise of those furthest behind. */
  fulfillment_status: Type.Optional(FulfillmentStatus),
  error: Type.Optional(BulkError),
  created: Instant,
  modified: Instant,
}
export const BulkIssuance = Type.Object({ id: Uuid, ...members }, { title: 'BulkIssuance' })
/** A dry run leaves nothing to name. */
export const AskedBulkIssuance = Type.Object(
  { id: Type.Optional(Uuid), ...members },
  { title: 'AskedBulkIssuance' },
)
export const BulkIssuanceList = ListOf(BulkIssuance)
export const BulkQuery = ListQuery({})
export type BulkQuery = Static<typeof BulkQuery>
