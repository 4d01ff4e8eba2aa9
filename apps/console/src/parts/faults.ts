/** The faults of what was sent, each beside its field. */

import { createContext, useContext, useRef } from 'react'
import { problemOf } from '../api/problem.ts'

type Faults = {
  /** Faults by the path of the member in the body. */
  of: Readonly<Record<string, string>>
  /** The paths whose fields are shown: their faults stand there, and nowhere else. */
  shown: Set<string>
}

const NONE: Faults = { of: {}, shown: new Set() }

export const FaultsContext = createContext(NONE)

/** The faults that a dialog gives to its fields, from the answer to its request. */
export function useFaults(error: unknown): Faults {
  const { current: shown } = useRef(new Set<string>())
  return { of: error ? problemOf(error).fields : NONE.of, shown }
}

/** The `error` of the field of that member; undefined if it has none. */
export function useFault(path: string): string | undefined {
  const { of, shown } = useContext(FaultsContext)
  shown.add(path)
  return of[path]
}
