/** Single keys that do what a button of the page does. */

import { useEffect, useRef, useSyncExternalStore } from 'react'
import { keep, kept } from '../api/storage.ts'

const STORED = 'keys'
const listeners = new Set<() => void>()

/** Readers who use speech input or whose hands tremble turn them off (WCAG 2.1.4). */
const areOn = (): boolean => kept('browser', STORED) !== 'off'

export function setKeys(isOn: boolean): void {
  keep('browser', STORED, isOn ? 'on' : 'off')
  for (const listener of listeners) listener()
}

function hear(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useAreKeysOn = (): boolean => useSyncExternalStore(hear, areOn)

/** Actions of keys while the page is open, no dialog is, and no field has the focus. */
export function useKeys(bindings: Readonly<Record<string, () => void>>): void {
  const present = useRef(bindings)
  useEffect(() => {
    present.current = bindings
  })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const run = present.current[keyOf(event)]
      if (!run || isElsewhere(event)) return
      event.preventDefault()
      run()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}

function isElsewhere({ target, ctrlKey, metaKey, altKey, defaultPrevented }: KeyboardEvent) {
  if (ctrlKey || metaKey || altKey || defaultPrevented || !areOn()) return true
  if (document.querySelector('[role="dialog"]') !== null) return true
  return target instanceof Element && target.matches('input, textarea, select, [contenteditable]')
}

/** An Arabic keyboard has other letters on the same keys. */
function keyOf({ key, code, shiftKey }: KeyboardEvent): string {
  if (key === '؟') return '?'
  const [, letter] = /^Key([A-Z])$/.exec(code) ?? []
  if (letter === undefined || /^[\x20-\x7e]$/.test(key)) return key
  return shiftKey ? letter : letter.toLowerCase()
}
