/** The steps that have run, which a reader who comes back finds again. */

import { useState } from 'react'
import { useActing } from '../../api/acting.ts'
import { useSession } from '../../api/session.ts'
import { keep, keptJson } from '../../api/storage.ts'
import type { Outcome } from './story.ts'

/** The outcomes of one member for one tenant; the objects are those that the story itself has made. */
export function useOutcomes(): [readonly Outcome[], (outcomes: readonly Outcome[]) => void] {
  const { data } = useSession()
  const acting = useActing()
  const place = `bezant.steps.${data?.member.id ?? ''}.${data?.tenant?.id ?? acting?.id ?? ''}`
  const [outcomes, setOutcomes] = useState(() => readOutcomes(place))
  const change = (next: readonly Outcome[]) => {
    setOutcomes(next)
    keep('browser', place, next.length === 0 ? undefined : JSON.stringify(next))
  }
  return [outcomes, change]
}

function readOutcomes(place: string): readonly Outcome[] {
  const kept = keptJson('browser', place)
  // They are as this file has kept them.
  return Array.isArray(kept) ? (kept as Outcome[]) : []
}
