/** The answers of Watchman, read strictly: members that are used have their types, or none is. */

import { type Static, Type } from 'typebox'
import { createAjv } from '#kit/http/schema.ts'

/** The most entries of one answer: the most alike come first. */
export const ENTRIES_MAX = 20

const Named = Type.Object({ birthDate: Type.Optional(Type.Union([Type.String(), Type.Null()])) })
const Entry = Type.Object({
  name: Type.String({ minLength: 1 }),
  entityType: Type.String(),
  sourceList: Type.String({ minLength: 1 }),
  sourceID: Type.String({ minLength: 1 }),
  // Sums of parts: the last digit of a whole match may be beyond it.
  match: Type.Number({ minimum: 0, maximum: 1.001 }),
  person: Type.Optional(Type.Union([Named, Type.Null()])),
  sanctionsInfo: Type.Optional(
    Type.Union([
      Type.Object({
        programs: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()])),
      }),
      Type.Null(),
    ]),
  ),
})
/** A search without a hit has null in place of a list. */
const Found = Type.Object({
  entities: Type.Union([Type.Array(Entry, { maxItems: ENTRIES_MAX }), Type.Null()]),
})
const Lists = Type.Object({ lists: Type.Record(Type.String(), Type.Number()) })

const ajv = createAjv(false)
export const isFound = ajv.compile<Static<typeof Found>>(Found)
export const areLists = ajv.compile<Static<typeof Lists>>(Lists)

export type Entry = Static<typeof Entry>
