/** The API schemas of backtests (D-482 to D-484). */

import { type Static, type TSchema, Type } from 'typebox'
import { ProposedBalanceLimit, ProposedVelocityLimit } from '#issuing/limits/schema.ts'
import { ProposedCountries, ProposedMccs, ProposedMerchants } from '#issuing/lists/schema.ts'
import { AuthSettingsInput, listIdsInput } from '#issuing/products/schema.ts'
import { Amount, Field, Instant, ListOf, ListQuery, OneOf, Strict, Uuid } from '#kit/http/schema.ts'
import { reasons } from './rules/sums.ts'

/** Days that one backtest may be about. */
export const DAYS_MAX = 92
/** Days that its result is kept. */
export const KEPT_DAYS = 30
/** The most backtests of one tenant that run at one time. */
export const RUNNING_MAX = 5
const LIMITS_MAX = 10

const statuses = ['RUNNING', 'COMPLETED', 'CANCELLED', 'FAILED'] as const
export type BacktestStatus = (typeof statuses)[number]

const texts = {
  from: 'Time of the earliest decision to decide again.',
  to:
    `Only decisions before this time are decided again; at most ${DAYS_MAX} days after \`from\`. ` +
    'A time in the future is replaced by the present.',
  card_product_id: 'Decisions of the cards of this card product, the proposal at the product.',
  card_id: 'Decisions of this card, the proposal at the card.',
  account_id: 'Decisions of the cards of this account, limits linked to the account.',
  user_id: 'Decisions of the cards of this user, limits linked to the user.',
} as const

const owners = {
  card_product_id: Type.Optional(Field(texts.card_product_id, Uuid)),
  card_id: Type.Optional(Field(texts.card_id, Uuid)),
  account_id: Type.Optional(Field(texts.account_id, Uuid)),
  user_id: Type.Optional(Field(texts.user_id, Uuid)),
}

const limitsOf = <Schema extends TSchema>(schema: Schema, description: string) =>
  Type.Optional(Type.Array(schema, { minItems: 1, maxItems: LIMITS_MAX, description }))

const proposal = {
  auth_settings: Type.Optional(
    Field('Settings in place of those of the card or product.', AuthSettingsInput),
  ),
  allowed_countries: Type.Optional(
    Field('List of countries in place of that of the card or product.', ProposedCountries),
  ),
  allowed_mccs: Type.Optional(
    Field('List of MCCs in place of that of the card or product.', ProposedMccs),
  ),
  allowed_merchants: Type.Optional(
    Field('List of merchants in place of that of the card or product.', ProposedMerchants),
  ),
  ...listIdsInput,
  balance_limits: limitsOf(
    ProposedBalanceLimit,
    'Balance limits beside those that are linked, 1 to 10.',
  ),
  velocity_limits: limitsOf(
    ProposedVelocityLimit,
    'Velocity limits beside those that are linked, 1 to 10.',
  ),
}

export const NewBacktest = Strict({
  id: Type.Optional(Field('Id of the backtest; generated when left out.', Uuid)),
  from: Field(texts.from, Instant),
  to: Field(texts.to, Instant),
  ...owners,
  ...proposal,
})
export type NewBacktest = Static<typeof NewBacktest>
export type Proposal = Omit<NewBacktest, 'id' | 'from' | 'to' | keyof typeof owners>

const status_code = Type.String({ description: 'Status code with which it would decline.' })
const former_status_code = Type.String({ description: 'Status code that declined it.' })
const group = {
  currency: Type.String({ description: 'ISO 4217 code of the currency of the amounts.' }),
  number: Type.Integer({ description: 'Number of decisions.' }),
  amount: Field('Sum that they requested, in major units of `currency`.', Amount),
  examples: Type.Array(Uuid, { description: 'Newest transactions, newest first, at most 10.' }),
}

const Result = Type.Object(
  {
    evaluated: Type.Integer({ description: 'Decisions of the period that were decided again.' }),
    unchanged: Type.Integer({ description: 'Decisions that would stay as they are.' }),
    would_decline: Type.Array(Type.Object({ status_code, ...group }), {
      description: 'Approved decisions that the proposal would decline, by code.',
    }),
    would_approve: Type.Array(Type.Object({ former_status_code, ...group }), {
      description: 'Declined decisions that it would approve, by the code that declined them.',
    }),
    would_decline_otherwise: Type.Array(
      Type.Object({ status_code, former_status_code, ...group }),
      { description: 'Declined decisions that it would decline with another code.' },
    ),
    not_evaluated: Type.Array(
      Type.Object({
        reason: Field(
          'CHECK_NOT_MADE: a check that would decide was not made, because an earlier one ' +
            'declined. FUNDS_NOT_STORED: the available funds are not stored.',
          OneOf(reasons),
        ),
        number: Type.Integer({ description: 'Number of decisions.' }),
      }),
      { description: 'Decisions whose answer cannot be known from what is stored.' },
    ),
  },
  { description: 'Results so far; complete once the backtest is COMPLETED.' },
)

export const Backtest = Type.Object(
  {
    id: Field('Id of the backtest.', Uuid),
    status: Field('RUNNING until all decisions are read.', OneOf(statuses)),
    from: Field(texts.from, Instant),
    to: Field('The period ends before this time.', Instant),
    counts_from: Field('Time from which decisions count against velocity limits.', Instant),
    ...owners,
    proposal: Type.Object(proposal, { description: 'Proposed controls, as they were sent.' }),
    progress: Type.Object(
      {
        read: Type.Integer({ description: 'Decisions that were read so far.' }),
        percent: Type.Integer({ description: 'Part of the period that is done, 0 to 100.' }),
      },
      { description: 'How far the backtest is.' },
    ),
    result: Result,
    error: Type.Optional(Type.String({ description: 'Why a FAILED backtest ended.' })),
    created: Field('Time at which the backtest was created.', Instant),
    modified: Field('Time of the last progress.', Instant),
    completed: Type.Optional(Field('Time at which it ended.', Instant)),
    expires: Field('Time at which it is deleted.', Instant),
  },
  { title: 'Backtest' },
)

export const BacktestQuery = ListQuery({})
export type BacktestQuery = Static<typeof BacktestQuery>
export const BacktestList = ListOf(Backtest)
