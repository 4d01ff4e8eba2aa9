/** Whether files of CSV begin with a byte-order mark, by which Excel knows that they are UTF-8. */

import { useSyncExternalStore } from 'react'
import { keep, kept } from '../api/storage.ts'

const KEPT = 'bezant.csv_mark'
const MARK = '\ufeff'

let isOn = kept('browser', KEPT) === 'on'
const listeners = new Set<() => void>()

export function setMark(next: boolean): void {
  isOn = next
  keep('browser', KEPT, next ? 'on' : undefined)
  for (const listener of listeners) listener()
}

function hear(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useMark = (): boolean => useSyncExternalStore(hear, () => isOn)

export const withMark = (text: string): string => (isOn ? `${MARK}${text}` : text)
