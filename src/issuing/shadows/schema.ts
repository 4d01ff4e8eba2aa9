/** The API schemas of the reports about lists and limits in SHADOW (D-480, D-481). */

import { type Static, Type } from 'typebox'
import { controlModes } from '#issuing/lists/schema.ts'
import { Amount, DateText, Field, OneOf, Strict, Uuid } from '#kit/http/schema.ts'

/** Days that one report may be about. */
export const DAYS_MAX = 92
export const DAYS_DEFAULT = 30

export const ShadowQuery = Strict({
  from: Type.Optional(
    Field(`First day of the report; default ${DAYS_DEFAULT} days up to \`to\`.`, DateText),
  ),
  to: Type.Optional(
    Field(
      `Last day of the report, in it; default the present day. At most ${DAYS_MAX} days in all.`,
      DateText,
    ),
  ),
})
export type ShadowQuery = Static<typeof ShadowQuery>

const sums = {
  status_code: Type.String({ description: 'Status code with which it would have declined.' }),
  status_description: Type.String({ description: 'Text of the status code.' }),
  currency: Type.String({ description: 'ISO 4217 code of the currency of the accounts.' }),
  number: Type.Integer({
    description: 'Approvals that the list or limit would have declined.',
  }),
  amount: Field('Sum that they requested, in major units of `currency`.', Amount),
  declined_number: Type.Integer({
    description: 'Decisions that it would have declined and that another check declined.',
  }),
  declined_amount: Field('Sum that these requested, in major units of `currency`.', Amount),
}

export const ShadowReport = Type.Object(
  {
    id: Field('Id of the list or limit.', Uuid),
    mode: Field('The present mode of the list or limit.', OneOf(controlModes)),
    from: Type.String({ description: 'First day, in the time zone of the tenant.' }),
    to: Type.String({ description: 'Last day, in the time zone of the tenant.' }),
    codes: Type.Array(Type.Object(sums), { description: 'Sums of the period by code.' }),
    days: Type.Array(
      Type.Object({ day: Type.String({ description: 'Day, YYYY-MM-DD.' }), ...sums }),
      { description: 'Sums by day and code, the newest day first.' },
    ),
    examples: Type.Array(
      Type.Object({
        transaction_id: Field('Id of the transaction.', Uuid),
        status_code: Type.String({ description: 'Status code of the list or limit.' }),
      }),
      { description: 'The newest approved transactions that it would have declined, at most 20.' },
    ),
  },
  { title: 'ShadowReport' },
)
