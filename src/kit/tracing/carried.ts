/**
 * Places of requests to this same process over a protocol that has no member for them: the sender
 * leaves its place here under a name that the receiver can make of the request.
 */

import type { Place } from './tracing.ts'

/** A name that many requests have at one time keeps the newest place. */
const places = new Map<string, Place>()

/** Returns what forgets it, once the request is answered. */
export function carry(name: string, place: Place): () => void {
  places.set(name, place)
  return () => {
    if (places.get(name) === place) places.delete(name)
  }
}

/** No name is made while nothing is traced. */
export const carried = (nameOf: () => string): Place | undefined =>
  places.size === 0 ? undefined : places.get(nameOf())
