/** Requests that simulate the answers of the scheme. */

import { type Static, Type } from 'typebox'
import { AmountInput, Field, Note, Strict } from '#kit/http/schema.ts'

const note = Type.Optional(Field('Note for the history of the dispute.', Note))

export const SimulatedAnswer = Strict({ note })
export const SimulatedRepresentment = Strict({
  amount: Type.Optional(
    Field('Part that the second presentment takes back; all if left out.', AmountInput),
  ),
  note,
})
export type SimulatedRepresentment = Static<typeof SimulatedRepresentment>
