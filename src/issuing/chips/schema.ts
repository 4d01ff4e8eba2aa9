/** The chips of cards: their counters, and the scripts that the operator asks for (D-447, D-449). */

import { type Static, Type } from 'typebox'
import { type ScriptName, scriptNames } from '#emv/scripts.ts'
import { Field, OneOf, Strict, Uuid } from '#kit/http/schema.ts'

/**
 * REQUESTED waits for an answer to carry it, SENT was carried, DONE and FAILED are results of the
 * card.
 */
export const scriptStatuses = ['REQUESTED', 'SENT', 'DONE', 'FAILED'] as const
export type ScriptStatus = (typeof scriptStatuses)[number]

/** `number` identifies the request in the result of the card. */
export type ChipScript = { number: number; status: ScriptStatus }

/** A chip as it is stored; without a row, version is 0 and atc null. */
export type Chip = {
  /** The id of the card, or of the wallet token. */
  id: string
  /** The highest application transaction counter of a right cryptogram. */
  atc: number | null
  scripts: Partial<Record<ScriptName, ChipScript>>
  version: bigint
}

const Script = OneOf(scriptNames)

export const ChipPath = Strict({
  id: Field('Id of the tenant.', Uuid),
  card_id: Field('Id of the card.', Uuid),
})

export const ScriptRequest = Strict({
  script: Field(
    'BLOCK blocks the application of the chip; UNBLOCK_PIN resets its counter of PIN tries.',
    Script,
  ),
})
export type ScriptRequest = Static<typeof ScriptRequest>

export const ChipAnswer = Type.Object(
  {
    card_id: Field('Id of the card.', Uuid),
    atc: Type.Optional(
      Type.Integer({
        description: 'Highest application transaction counter of a right cryptogram.',
      }),
    ),
    scripts: Type.Array(
      Type.Object({
        script: Field('Name of the script.', Script),
        status: Field(
          'REQUESTED until an answer carries it, then SENT; DONE or FAILED is the result that ' +
            'the card reports.',
          OneOf(scriptStatuses),
        ),
      }),
      { description: 'The last request of each script.' },
    ),
  },
  { title: 'Chip' },
)
export type ChipAnswer = Static<typeof ChipAnswer>
