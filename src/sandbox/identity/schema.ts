/** The contract of what the sandbox plays of identity verification and KYC (D-23, D-111). */

import { type Static, Type } from 'typebox'
import { kycResults, outcomes } from '#issuing/verification/verification.ts'
import { Note, OneOf, Strict, Uuid } from '#kit/schema.ts'

export const UserPath = Strict({ user_id: Uuid })

export const SimulatedReport = Strict({
  result: Type.Optional(OneOf(['CLEAR', 'CONSIDER'] as const)),
  outcome: Type.Optional(OneOf(outcomes)),
  /** Of the document: alpha-2 or alpha-3. */
  issuing_country: Type.Optional(Type.String({ pattern: '^[A-Za-z]{2,3}$' })),
  note: Type.Optional(Note),
})
export type SimulatedReport = Static<typeof SimulatedReport>

export const SimulatedKyc = Strict({ result: OneOf(kycResults), note: Type.Optional(Note) })
