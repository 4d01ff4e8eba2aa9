/** The API schemas of challenges (D-1090). */

import type { Selectable } from 'kysely'
import { type Static, Type } from 'typebox'
import type { Database } from '#kit/db/tables.ts'
import {
  Amount,
  AmountInput,
  Currency,
  Field,
  Instant,
  ListOf,
  ListQuery,
  Name,
  OneOf,
  Strict,
  Uuid,
} from '#kit/http/schema.ts'

export const storedStatuses = ['PENDING', 'PASSED', 'FAILED', 'DECLINED'] as const
const statuses = [...storedStatuses, 'EXPIRED'] as const
export type ChallengeStatus = (typeof statuses)[number]
export const sendings = ['NONE', 'PENDING', 'SENT', 'FAILED', 'UNKNOWN'] as const
export type Sending = (typeof sendings)[number]
export const messengers = ['NONE', 'SERVER', 'MAIL'] as const
type MessengerName = (typeof messengers)[number]

const AMOUNT = 'Amount of the payment in major units of `currency`, as the cardholder sees it.'
/** The card acceptor of DE42. */
const MerchantId = Type.String({
  pattern: '^[!-~]([ -~]{0,13}[!-~])?$',
  description: 'Id of the merchant as the authorization has it (DE42), 1 to 15 characters.',
})

export const NewChallenge = Strict({
  id: Type.Optional(Field('Id of the challenge; generated when left out.', Uuid)),
  card_id: Type.Optional(Field('Id of the card that is to pay.', Uuid)),
  card_number: Type.Optional(
    Type.String({
      pattern: '^[0-9]{12,19}$',
      description: 'Its full number in place of `card_id`, digits only; also that of a token.',
    }),
  ),
  amount: Field(AMOUNT, AmountInput),
  currency: Field('ISO 4217 code of the currency of the payment.', Currency),
  merchant: Strict(
    { id: MerchantId, name: Field('Name of the merchant, as the cardholder sees it.', Name) },
    { description: 'Merchant that is to be paid.' },
  ),
})
export type NewChallenge = Static<typeof NewChallenge>

export const ChallengeAnswer = Strict({
  code: Type.String({
    minLength: 6,
    maxLength: 6,
    description: 'Code that the cardholder typed, six digits.',
  }),
  amount: Type.Optional(
    Field('Amount of the payment that is to be made; another one is refused.', AmountInput),
  ),
  currency: Type.Optional(Field('Its currency; another one is refused.', Currency)),
  merchant_id: Type.Optional(Field('Its merchant; another one is refused.', MerchantId)),
})
export type ChallengeAnswer = Static<typeof ChallengeAnswer>

const SENDING =
  'Outcome of sending the code: PENDING while it is under way, UNKNOWN where it may or may ' +
  'not have arrived, FAILED where it certainly has not, NONE without a code.'

export const Challenge = Type.Object(
  {
    id: Field('Id of the challenge.', Uuid),
    card_id: Field('Id of the card.', Uuid),
    user_id: Type.Optional(Field('Id of the user that holds the card.', Uuid)),
    status: Field(
      'PENDING until it is answered. PASSED, FAILED (three wrong codes), DECLINED by the ' +
        'cardholder and EXPIRED are final.',
      OneOf(statuses),
    ),
    amount: Field(AMOUNT, Amount),
    currency: Type.String({ description: 'ISO 4217 code of the currency of the payment.' }),
    merchant: Type.Object(
      {
        id: Type.String({ description: 'Id of the merchant (DE42).' }),
        name: Type.String({ description: 'Name of the merchant.' }),
      },
      { description: 'Merchant that is to be paid.' },
    ),
    messenger: Field(
      'How the code goes out: the setting `challenge_messenger` as it was. NONE: there is no ' +
        'code, and the cardholder approves the payment in an app.',
      OneOf(messengers),
    ),
    sending: Field(SENDING, OneOf(sendings)),
    tries_left: Type.Integer({ minimum: 0, description: 'Codes that may still be tried.' }),
    expires: Field('Until when it may be answered, five minutes after its creation.', Instant),
    passed: Type.Optional(Field('When it was passed; absent if it was not.', Instant)),
    authentication_value: Type.Optional(
      Type.String({
        description:
          'AAV that proves it to the authorization (DE48, element 43), 28 characters of base64. ' +
          'Only of a challenge that was passed, and in no list.',
      }),
    ),
    created: Field('Time at which it was created.', Instant),
    modified: Field('Time of the last change.', Instant),
  },
  { title: 'Challenge' },
)
export type Challenge = Static<typeof Challenge>
export const ChallengeList = ListOf(Challenge)

export const ChallengeQuery = ListQuery({
  card_id: Type.Optional(Field('Lists only challenges of this card.', Uuid)),
})
export type ChallengeQuery = Static<typeof ChallengeQuery>

type Columns = Omit<Selectable<Database['challenges']>, 'tenant_id'>
/** A challenge as it is stored; the amount in minor units of `currency`. */
export type ChallengeRow = Omit<Columns, 'status' | 'messenger' | 'sending'> & {
  status: (typeof storedStatuses)[number]
  messenger: MessengerName
  sending: Sending
}
