/** The API schemas of balance limits and velocity limits (D-41, D-42, D-113, D-116, D-124). */

import { type Static, Type } from 'typebox'
import { controlModes } from '#issuing/lists/schema.ts'
import {
  Amount,
  AmountInput,
  Currency,
  Field,
  Instant,
  ListOf,
  ListQuery,
  Note,
  Nullable,
  OneOf,
  Strict,
  Uuid,
} from '#kit/http/schema.ts'

export const balanceTypes = ['PER_ACCOUNT', 'PER_USER'] as const
export type BalanceType = (typeof balanceTypes)[number]
export const velocityTypes = ['PER_TRANSACTION', 'CUMULATIVE'] as const
export type VelocityType = (typeof velocityTypes)[number]
const periods = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY', 'LIFETIME'] as const
export const scopes = ['PURCHASES', 'WITHDRAWALS', 'ALL'] as const
export type Scope = (typeof scopes)[number]

/** Limits of one kind that may be linked to one object. */
export const LINKED_MAX = 20

const texts = {
  description: 'Description, at most 1000 characters.',
  currency: 'ISO 4217 code; the limit applies to accounts of this currency.',
  balanceType:
    'PER_ACCOUNT limits one account, PER_USER the sum of the user’s accounts in the currency.',
  least: 'Least amount that must remain available after a debit, in major units.',
  most: 'Largest balance after a credit, in major units.',
  velocityType:
    'PER_TRANSACTION limits the amount of one transaction, CUMULATIVE the sum in the period.',
  min: 'Least amount of one transaction, in major units.',
  max: 'Largest amount of one transaction, or with CUMULATIVE in the period, in major units.',
  frequency: 'Largest number of transactions in the period; requires `period`.',
  period: 'Period in the tenant’s time zone; required with CUMULATIVE and with `frequency`.',
  scope: 'Transactions that the limit applies to; default ALL.',
  mode:
    'With SHADOW the limit counts and declines nothing; its would-be declines are in the traces ' +
    'of transactions and in its shadow report.',
} as const

const Frequency = Type.Integer({ minimum: 1, maximum: 1_000_000 })
const ScopeList = Type.Array(OneOf(scopes), { minItems: 1, maxItems: 3, uniqueItems: true })
const OwnId = Type.Optional(Field('Id of the limit; generated when left out.', Uuid))
const Description = Type.Optional(Field(texts.description, Nullable(Note)))

const amounts = (min: string, max: string) => ({
  min_amount: Type.Optional(Field(min, Nullable(AmountInput))),
  max_amount: Type.Optional(Field(max, Nullable(AmountInput))),
})

const Mode = Type.Optional(Field(`${texts.mode} Default ENFORCED.`, OneOf(controlModes)))
const velocity = {
  description: Description,
  mode: Mode,
  ...amounts(texts.min, texts.max),
  frequency: Type.Optional(Field(texts.frequency, Nullable(Frequency))),
  period: Type.Optional(Field(texts.period, Nullable(OneOf(periods)))),
  transaction_scope: Type.Optional(Field(texts.scope, ScopeList)),
}
const balance = { description: Description, mode: Mode, ...amounts(texts.least, texts.most) }

export const NewBalanceLimit = Strict({
  id: OwnId,
  type: Field(texts.balanceType, OneOf(balanceTypes)),
  currency: Field(texts.currency, Currency),
  ...balance,
})
export type NewBalanceLimit = Static<typeof NewBalanceLimit>

export const BalanceLimitChanges = Strict({
  type: Type.Optional(Field(texts.balanceType, OneOf(balanceTypes))),
  currency: Type.Optional(Field(texts.currency, Currency)),
  ...balance,
})

export const NewVelocityLimit = Strict({
  id: OwnId,
  type: Field(texts.velocityType, OneOf(velocityTypes)),
  currency: Field(texts.currency, Currency),
  ...velocity,
})
export type NewVelocityLimit = Static<typeof NewVelocityLimit>

export const VelocityLimitChanges = Strict({
  type: Type.Optional(Field(texts.velocityType, OneOf(velocityTypes))),
  currency: Type.Optional(Field(texts.currency, Currency)),
  ...velocity,
})

const { description: _text, mode: _mode, ...proposedVelocity } = velocity
/** Limits that a backtest proposes: they have no id and are stored nowhere (D-482). */
export const ProposedVelocityLimit = Strict({
  type: Field(texts.velocityType, OneOf(velocityTypes)),
  currency: Field(texts.currency, Currency),
  ...proposedVelocity,
})
export type ProposedVelocityLimit = Static<typeof ProposedVelocityLimit>
export const ProposedBalanceLimit = Strict({
  type: Field('The limit of one account.', OneOf(['PER_ACCOUNT'])),
  currency: Field(texts.currency, Currency),
  min_amount: Field(texts.least, AmountInput),
})
export type ProposedBalanceLimit = Static<typeof ProposedBalanceLimit>

/** The members that a client sends of either kind, at creation or as a change. */
export type LimitInput = Partial<Omit<NewVelocityLimit, 'id' | 'type'>> & {
  type?: BalanceType | VelocityType
}

const answered = (type: string, types: readonly string[], min: string, max: string) => ({
  id: Field('Id of the limit.', Uuid),
  description: Type.Optional(Type.String({ description: texts.description })),
  type: Field(type, OneOf(types)),
  currency: Type.String({ description: texts.currency }),
  min_amount: Type.Optional(Field(min, Amount)),
  max_amount: Type.Optional(Field(max, Amount)),
  mode: Field(texts.mode, OneOf(controlModes)),
  created: Field('Time at which the limit was created.', Instant),
  modified: Field('Time of the last change.', Instant),
})

export const BalanceLimit = Type.Object(
  answered(texts.balanceType, balanceTypes, texts.least, texts.most),
  { title: 'BalanceLimit' },
)

export const VelocityLimit = Type.Object(
  {
    ...answered(texts.velocityType, velocityTypes, texts.min, texts.max),
    frequency: Type.Optional(Field(texts.frequency, Frequency)),
    period: Type.Optional(Field(texts.period, OneOf(periods))),
    transaction_scope: Field(texts.scope, ScopeList),
  },
  { title: 'VelocityLimit' },
)

export const LimitQuery = ListQuery({})
export type LimitQuery = Static<typeof LimitQuery>
export const BalanceLimitList = ListOf(BalanceLimit)
export const VelocityLimitList = ListOf(VelocityLimit)

export const LimitIds = Strict({
  ids: Type.Array(Uuid, {
    minItems: 1,
    maxItems: LINKED_MAX,
    description: 'Ids of the limits, 1 to 20.',
  }),
})

/** The limits that are linked to an object. */
export const LinkedLimits = Type.Object(
  {
    id: Field('Id of the object.', Uuid),
    ids: Type.Array(Uuid, { description: 'Ids of the limits that are linked to it now.' }),
  },
  { title: 'LinkedLimits' },
)

export const AvailableQuery = Strict({
  card_id: Field('Id of the card that would pay.', Uuid),
})

/** The rest that a velocity limit leaves to a card (D-42). */
export const Available = Type.Object(
  {
    id: Field('Id of the limit.', Uuid),
    card_id: Field('Id of the card.', Uuid),
    currency: Type.String({ description: 'ISO 4217 code of the currency of the limit.' }),
    available_amount: Type.Optional(
      Field('Largest amount of the next transaction, in major units; absent if any fits.', Amount),
    ),
    available_frequency: Type.Optional(
      Type.Integer({
        description: 'Transactions that are left in the period; absent if any fits.',
      }),
    ),
    period: Type.Optional(Field(texts.period, OneOf(periods))),
    window_start: Type.Optional(Field('Time at which the present period began.', Instant)),
    window_end: Type.Optional(Field('Time at which the next period begins.', Instant)),
  },
  { title: 'AvailableVelocity' },
)
