/** The fields of a message taken apart, each once, before anything is made of them. */

import type { Fields } from '#iso8583/message.ts'
import { type OriginalData, parseActualAmount, parseOriginal } from '#iso8583/original.ts'
import { type Elements, parseElements } from '#iso8583/tlv48.ts'
import type { Secret } from '#lib/secret.ts'
import { type Place, placeOf } from './place.ts'
import { pinBlockOf, type Track, trackOf } from './track.ts'

/** Undefined: the field is not there. Null: it breaks its layout. */
export type Part<Value> = Value | null | undefined

export type Parts = {
  place: Place
  track: Part<Track>
  pin_block: Part<Secret>
  elements: Part<Elements>
  original: Part<OriginalData>
  /** The amount that stays, of DE95. */
  remaining: Part<bigint>
}

export function partsOf(fields: Fields): Parts {
  return {
    place: placeOf(fields),
    track: trackOf(fields[35]),
    pin_block: pinBlockOf(fields),
    elements: elementsOf(fields[48]),
    original: fields[90] === undefined ? undefined : parseOriginal(fields[90]),
    remaining: fields[95] === undefined ? undefined : parseActualAmount(fields[95]),
  }
}

function elementsOf(text: string | undefined): Part<Elements> {
  if (text === undefined) return undefined
  const parsed = parseElements(text)
  return parsed.ok ? parsed.elements : null
}

/** DE2, or the number of the track if DE2 is absent. */
export function panOf(fields: Fields, { track }: Parts): string | undefined {
  return fields[2] ?? track?.pan
}
