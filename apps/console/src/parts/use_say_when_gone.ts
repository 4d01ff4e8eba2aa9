/** A form that goes with its refusal: the object that was read anew offers its action no more. */

import i18next from 'i18next'
import { useEffect, useRef } from 'react'
import { problemOf } from '../api/problem.ts'
import { sentenceOf } from './failing.tsx'
import { sayFault } from './said.ts'

/** `error` is that which the open form shows; null if there is none. */
export function useSayWhenGone(error: unknown): void {
  const shown = useRef(error)
  useEffect(() => {
    shown.current = error
  })
  useEffect(
    () => () => {
      if (shown.current !== null) sayFault(sentenceOf(i18next.t, problemOf(shown.current)))
    },
    [],
  )
}
