/** The API schemas of statistics (D-610). */

import { type Static, Type } from 'typebox'
import { Amount, Field, Instant, OneOf, Strict } from '#kit/http/schema.ts'

/** Hours that one answer may be about: 14 days. */
export const HOURS_MAX = 14 * 24
export const HOURS_DEFAULT = 48

export const StatisticsQuery = Strict({
  from: Type.Optional(
    Field(
      `The first hour is the one of this time; default ${HOURS_DEFAULT} up to \`to\`.`,
      Instant,
    ),
  ),
  to: Type.Optional(
    Field('The last hour is the one before this time; default with the present hour.', Instant),
  ),
})
export type StatisticsQuery = Static<typeof StatisticsQuery>

const HourOfDecisions = Type.Object({
  hour: Field('Beginning of the hour.', Instant),
  approved: Type.Integer({ description: 'Number of approved authorizations.' }),
  declined: Type.Integer({ description: 'Number of declined authorizations.' }),
  amounts: Type.Array(
    Type.Object({
      currency: Type.String({ description: 'ISO 4217 code of the currency of the transactions.' }),
      approved_amount: Field('Amount that was approved, in major units of `currency`.', Amount),
    }),
    { description: 'Approved amounts, by currency.' },
  ),
  declines: Type.Array(
    Type.Object({
      status_code: Type.String({ description: 'Four-digit status code of the decision.' }),
      status_description: Type.String({ description: 'Text of the status code.' }),
      number: Type.Integer({ description: 'Number of authorizations declined with it.' }),
    }),
    { description: 'Declined authorizations by code, the most frequent first.' },
  ),
})

export const AuthorizationStatistics = Type.Object(
  {
    now: Field('Present time on the clock of the tenant.', Instant),
    from: Field('Beginning of the first hour.', Instant),
    to: Field('End of the last hour.', Instant),
    state: Field(
      'PARTIAL while some hours of the period are not counted yet: `hours` leaves them out, the ' +
        'newest are counted first, and the next call goes on.',
      OneOf(['COMPLETE', 'PARTIAL']),
    ),
    hours: Type.Array(HourOfDecisions, {
      description: 'Each hour that is counted and has begun, oldest first.',
    }),
  },
  { title: 'AuthorizationStatistics' },
)
export type AuthorizationStatistics = Static<typeof AuthorizationStatistics>
