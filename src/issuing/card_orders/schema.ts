/** The API schemas of orders of cards (D-1020). */

import { type Static, Type } from 'typebox'
import { Field, Instant, ListOf, ListQuery, OneOf, Strict, Uuid } from '#kit/http/schema.ts'

export const orderStates = ['PREPARING', 'SENT', 'CONFIRMED', 'PARTLY_REJECTED', 'FAILED'] as const
const OrderState = OneOf(orderStates)
export type OrderState = Static<typeof OrderState>

export const answerStatuses = ['PRODUCED', 'SHIPPED', 'DELIVERED', 'RETURNED', 'REJECTED'] as const
export type AnswerStatus = (typeof answerStatuses)[number]

const Count = (description: string) => Type.Integer({ description })

export const CardOrder = Type.Object(
  {
    id: Field('Id of the batch.', Uuid),
    card_product_id: Field('Id of the card product of its cards.', Uuid),
    state: Field(
      'PREPARING until the bureau has the file, then SENT; CONFIRMED or PARTLY_REJECTED once ' +
        'every card is answered; FAILED if all were rejected.',
      OrderState,
    ),
    bureau: Type.String({ description: 'Name of the bureau.' }),
    file_name: Type.String({ description: 'Name of the file at the bureau.' }),
    count: Count('Number of cards in the file.'),
    answered: Count('Number of cards that the bureau has answered.'),
    rejected: Count('Number of cards that it has rejected.'),
    digest: Type.Optional(
      Type.String({ description: 'SHA-256 of the file before encryption, in hex.' }),
    ),
    fault: Type.Optional(
      Type.String({ description: 'Why the file was not handed over at the last attempt.' }),
    ),
    attempts: Count('Number of attempts to hand the file over.'),
    sent: Type.Optional(Field('Time at which the bureau had the file.', Instant)),
    completed: Type.Optional(Field('Time at which the last card was answered.', Instant)),
    created: Field('Time at which its cards were collected.', Instant),
    modified: Field('Time of the last change.', Instant),
  },
  { title: 'CardOrder' },
)

export const CardOrderList = Type.Object({
  ...ListOf(CardOrder).properties,
  bureau: Type.Optional(
    Type.String({ description: 'Name of the bureau; absent where none is configured.' }),
  ),
})

export const OrderQuery = ListQuery({
  state: Type.Optional(Field('Only batches in this state.', OrderState)),
  card_product_id: Type.Optional(Field('Only batches of this card product.', Uuid)),
})
export type OrderQuery = Static<typeof OrderQuery>

export const SendOrders = Strict({
  tenant_id: Field('Id of the tenant whose cards are ordered.', Uuid),
  card_product_id: Type.Optional(Field('Only cards of this card product.', Uuid)),
})
export type SendOrders = Static<typeof SendOrders>

export const SentOrders = Type.Object(
  {
    cards: Count('Number of cards that are collected now.'),
    batches: Count('Number of batches that were waiting and are tried again now.'),
  },
  { title: 'SentOrders' },
)

export const BureauAnswer = Type.Object(
  {
    id: Field('Id of the file.', Uuid),
    bureau: Type.String({ description: 'Name of the bureau.' }),
    file_name: Type.String({ description: 'Name of the file.' }),
    digest: Type.String({ description: 'SHA-256 of the file, in hex.' }),
    lines: Count('Number of its lines.'),
    applied: Count('Number of the lines that are right.'),
    faults: Type.Array(
      Type.Object({
        line: Count('Number of the line, from 1 on.'),
        message: Type.String({ description: 'What is wrong with the line.' }),
      }),
      { description: 'Lines without an effect: the first 1,000.' },
    ),
    created: Field('Time at which the file was applied.', Instant),
  },
  { title: 'BureauAnswer' },
)

export const BureauAnswerList = ListOf(BureauAnswer)
export const BureauAnswerQuery = ListQuery({})
export type BureauAnswerQuery = Static<typeof BureauAnswerQuery>
