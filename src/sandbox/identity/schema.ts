/** Requests that simulate identity verification and KYC (D-23, D-111). */

import { type Static, Type } from 'typebox'
import { kycResults, outcomes } from '#issuing/verification/verification.ts'
import { Field, Note, OneOf, Strict, Uuid } from '#kit/http/schema.ts'

export const UserPath = Strict({ user_id: Field('Id of the user.', Uuid) })

export const SimulatedReport = Strict({
  result: Type.Optional(
    Field(
      'Result of the report; required unless `outcome` is sent.',
      OneOf(['CLEAR', 'CONSIDER'] as const),
    ),
  ),
  outcome: Type.Optional(
    Field(
      'Why the report is CONSIDER; `caution` by default. In a first check without B2, suspected, ' +
        'rejected and terminated give B1; they outweigh the country.',
      OneOf(outcomes),
    ),
  ),
  issuing_country: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z]{2,3}$',
      description: 'ISO 3166-1 country that issued the document, alpha-2 or alpha-3.',
    }),
  ),
  note: Type.Optional(Field('Note of the report, up to 1000 characters.', Note)),
})
export type SimulatedReport = Static<typeof SimulatedReport>

export const SimulatedKyc = Strict({
  result: Field('Result of the request.', OneOf(kycResults)),
  note: Type.Optional(Field('Note of the result, up to 1000 characters.', Note)),
})
