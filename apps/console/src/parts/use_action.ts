/** One change that the console makes: one press, one call, one key. */

import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { newKey } from '../api/keys.ts'
import { whileMoving } from '../api/moving.ts'
import { Problem } from '../api/problem.ts'
import { queries } from '../api/session.ts'
import { isOutdated } from '../api/versions.ts'

type ActionProps<Input, Answer> = {
  /** The call, with the key of its POST. It rejects with a Problem. */
  act: (key: string, input: Input) => Promise<Answer>
  onDone?: ((answer: Answer) => unknown) | undefined
  onFail?: (error: unknown) => void
  onEnd?: () => void
}

export type Action<Input, Answer> = {
  /** Makes the call, unless one is under way. */
  press: (input: Input) => void
  /** Whether a press had no answer yet: known before the page shows it. */
  isBusy: () => boolean
  isPending: boolean
  /** The input of the call that is or was last under way. */
  input: Input | undefined
  data: Answer | undefined
  error: unknown
  /** Whether a press may have had its effect although no answer has said so. */
  isInDoubt: boolean
  /** Forgets the last answer and its key: the next press is another request. */
  reset: () => void
}

/**
 * A press while another is under way has no effect, also before the page has been drawn anew. The
 * key stays until the outcome is known, so that a repeated press has one effect (D-10): it changes
 * after an answer. A request with another body has another key by itself (`client.ts`).
 */
export function useAction<Input = void, Answer = unknown>(
  props: ActionProps<Input, Answer>,
): Action<Input, Answer> {
  const { act, onDone, onFail, onEnd } = props
  const key = useRef<string>(undefined)
  const busy = useRef(false)
  const doubt = useRef(false)
  const [ended, setEnded] = useState(0)
  const forget = () => {
    key.current = undefined
    doubt.current = false
  }
  const { mutate, reset, ...mutation } = useMutation({
    // A call without a network fails at once, and is not made later by itself.
    networkMode: 'always',
    mutationFn: (input: Input) => {
      key.current ??= newKey()
      return whileMoving(act(key.current, input))
    },
    onSuccess: (answer) => {
      forget()
      return onDone?.(answer)
    },
    onError: (error) => {
      onFail?.(error)
      if (!(error instanceof Problem) || error.isDecided) forget()
      if (!(error instanceof Problem)) return
      if (!error.isUnknown && !isOutdated(error)) return
      doubt.current = error.isUnknown
      // Only what the server has now shows whether the change was made, or what another has changed.
      void queries.invalidateQueries()
    },
    onSettled: () => {
      onEnd?.()
      setEnded((count) => count + 1)
    },
  })
  const { isPending, variables, data, error } = mutation
  // The next press is another one once the page shows what came of this one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `ended` is what changes.
  useEffect(() => {
    busy.current = false
  }, [ended])
  return {
    press: (input) => {
      if (busy.current) return
      busy.current = true
      mutate(input)
    },
    isBusy: () => busy.current,
    isPending,
    input: variables,
    data,
    error,
    isInDoubt: error !== null && doubt.current,
    reset: () => {
      if (busy.current) return
      forget()
      reset()
    },
  }
}
