/** One change that the console makes: one press, one call, one key. */

import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { newIdempotencyKey } from '#client/core/keys.ts'
import { whileMoving } from '../api/moving.ts'
import { Problem } from '../api/problem.ts'
import { queries } from '../api/session.ts'
import { say } from './said.ts'

type ActionProps<Input, Answer> = {
  /** The call, with the key of its POST. It rejects with a Problem. */
  act: (key: string, input: Input) => Promise<Answer>
  onDone?: ((answer: Answer) => unknown) | undefined
  /** The change that the answer tells of, in a sentence; absent where the page itself shows it. */
  said?: ((answer: Answer, input: Input) => string) | undefined
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
  /** Makes the last call again by itself once its answer's wait is over; absent without a wait. */
  again: (() => void) | undefined
  /** The form has changed since the press: nothing is made again by itself. */
  hold: () => void
  /** Forgets the last answer and its key: the next press is another request. */
  reset: () => void
}

/** Refusals of the object as it is now, which may offer other actions than the page does. */
const OF_OBJECT = [403, 404, 409, 410, 412]

/**
 * A press while another is under way has no effect, also before the page has been drawn anew. The
 * key stays until the outcome is known, so that a repeated press has one effect (D-10): it changes
 * after an answer. A request with another body has another key by itself (`client.ts`).
 */
export function useAction<Input = void, Answer = unknown>(
  props: ActionProps<Input, Answer>,
): Action<Input, Answer> {
  const { act, onDone, said, onFail, onEnd } = props
  const key = useRef<string>(undefined)
  const busy = useRef(false)
  const doubt = useRef(false)
  const [ended, setEnded] = useState(0)
  const [isHeld, setHeld] = useState(false)
  const forget = () => {
    key.current = undefined
    doubt.current = false
  }
  const { mutate, reset, ...mutation } = useMutation({
    // A call without a network fails at once, and is not made later by itself.
    networkMode: 'always',
    mutationFn: (input: Input) => {
      key.current ??= newIdempotencyKey()
      return whileMoving(act(key.current, input))
    },
    onSuccess: (answer, input) => {
      forget()
      if (said) say(said(answer, input))
      return onDone?.(answer)
    },
    onError: (error) => {
      onFail?.(error)
      if (!(error instanceof Problem) || error.isDecided) forget()
      if (!(error instanceof Problem)) return
      doubt.current = error.isUnknown
      // Only what the server has now shows whether the change was made, or why it cannot be.
      if (error.isUnknown || OF_OBJECT.includes(error.status)) void queries.invalidateQueries()
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
  const press = (input: Input) => {
    if (busy.current) return
    busy.current = true
    setHeld(false)
    mutate(input)
  }
  const isWaiting = error instanceof Problem && error.wait !== undefined && !isHeld
  return {
    press,
    // The key is that of the press, and the body too: it has its effect once.
    again: isWaiting ? () => press(variables as Input) : undefined,
    hold: () => setHeld(true),
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
