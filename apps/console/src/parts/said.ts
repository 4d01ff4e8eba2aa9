/** The sentence of the last change, for the status region of the shell (D-1160). */

import i18next, { type TFunction } from 'i18next'
import { useSyncExternalStore } from 'react'

/** `at` tells two equal sentences apart, so that each is heard. */
export type Said = Readonly<{ text: string; isFault: boolean; at: number }>

let said: Said | undefined
let count = 0
const listeners = new Set<() => void>()

function change(next: Said | undefined): void {
  said = next
  for (const listener of listeners) listener()
}

export const say = (text: string): void => change({ text, isFault: false, at: ++count })
/** A refusal whose form is gone, since the object has changed. */
export const sayFault = (text: string): void => change({ text, isFault: true, at: ++count })
export const forgetSaid = (): void => change(undefined)

function hear(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useSaid = (): Said | undefined => useSyncExternalStore(hear, () => said)

/** Statuses of an answer that was wanted otherwise. */
const MISSED = ['FAILURE', 'FAILED', 'DECLINED']

/** `Suspend: done. The status is SUSPENDED now.`; `what` is the name of the action. */
export function doneText(what: string, answer: unknown, t: TFunction = i18next.t): string {
  const { status } = Object(answer) as { status?: unknown }
  if (typeof status !== 'string') return t('said.did', { what })
  return t(MISSED.includes(status) ? 'said.ended' : 'said.now', { what, status })
}
