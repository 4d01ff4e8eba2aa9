/** The API schemas of questions that a tenant answers by calls (D-510). */

import { type Static, Type } from 'typebox'
import { Transaction } from '#issuing/transactions/schema.ts'
import { AmountInput, Field, Instant, Nullable, Strict, Uuid } from '#kit/http/schema.ts'

const WAIT_MAX_SECONDS = 30
/** Questions of one answer, and ids that a call leaves out. */
export const QUESTIONS_MAX = 100

export const QuestionQuery = Strict({
  wait: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: WAIT_MAX_SECONDS,
      description: 'Longest time to wait for a question, in seconds; 0 by default.',
    }),
  ),
  except: Type.Optional(
    Type.Array(Uuid, {
      maxItems: QUESTIONS_MAX,
      description: 'Ids of questions that the caller already has; they are left out.',
    }),
  ),
})
export type QuestionQuery = Static<typeof QuestionQuery>

const ResponderRequest = Type.Object(
  {
    id: Field('Id of the question.', Uuid),
    transaction: Transaction,
    deadline: Field('Real time until which the question may be answered.', Instant),
  },
  {
    title: 'ResponderRequest',
    description: 'A question, with the transaction as it would be, as a `url` receives it.',
  },
)
export type ResponderRequest = Static<typeof ResponderRequest>

export const ResponderRequests = Type.Object(
  {
    data: Type.Array(ResponderRequest, {
      description: 'Questions that wait for an answer, at most 100, by their deadlines.',
    }),
  },
  { title: 'ResponderRequests' },
)

const approved = Field('Whether the request is approved.', Type.Boolean())
const AMOUNT =
  'Largest amount that is approved, in major units of the transaction; absent or null for all.'

/** The answer of a responder with a URL. */
export const ResponderAnswer = Strict({
  approved,
  amount: Type.Optional(Field(AMOUNT, Nullable(AmountInput))),
})
export type ResponderAnswer = Static<typeof ResponderAnswer>

export const AnsweredRequest = Type.Object(
  {
    id: Field('Id of the question.', Uuid),
    approved,
    amount: Type.Optional(Field(AMOUNT, AmountInput)),
  },
  { title: 'AnsweredResponderRequest' },
)
