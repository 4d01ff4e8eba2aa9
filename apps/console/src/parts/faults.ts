/** The faults of what was sent, each beside its field. */

import { createContext, useContext, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { problemOf } from '../api/problem.ts'
import { faultText } from './fault_text.ts'

type Faults = {
  /** Faults by the path of the member in the body. */
  of: Readonly<Record<string, string>>
  /** The paths whose faults stand at a field, and nowhere else. */
  shown: Set<string>
}

const NONE: Faults = { of: {}, shown: new Set() }

export const FaultsContext = createContext(NONE)

/** The faults that a dialog gives to its fields, from the answer to its request. */
export function useFaults(error: unknown): Faults {
  return useMemo(() => {
    const of = error ? problemOf(error).fields : NONE.of
    return { of, shown: new Set<string>() }
  }, [error])
}

/**
 * The `error` of the field of that member; undefined if it has none. A field may be a list, or the
 * form of an object within the body: `country_codes.0` and `responder.url` have one field each.
 */
export function useFault(path = ''): string | undefined {
  const { of, shown } = useContext(FaultsContext)
  const { t } = useTranslation()
  if (path === '') return undefined
  const found = Object.keys(of).filter((one) => isOfField(one, path))
  for (const one of found) shown.add(one)
  const [first] = found
  return first === undefined ? undefined : faultText(t, of[first] ?? '')
}

const isOfField = (found: string, path: string): boolean =>
  found === path || found.startsWith(`${path}.`) || found.endsWith(`.${path}`)
