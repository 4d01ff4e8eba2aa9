/** Which files of a watched place are taken, and when they are whole. Pure. */

import type { FoundFile } from '../provider.ts'

/** Size and time of change of each file that waits, by its name. */
export type Waiting = Readonly<Record<string, { size: number; changed: number }>>

export const DONE = '.done'
export const FAILED = '.failed'

/** Names of files that are being written, or were taken. */
const LEFT = /^\.|\.(?:done|failed|part|tmp|filepart|writing)$/i
/** Names are of those who write there: others would be a path, an option, or unreadable in a log. */
const TAKEN = /^[A-Za-z0-9_][A-Za-z0-9_.+@ -]{0,199}$/

/** Files of other names may be left there for ever. */
export const isSeen = (name: string): boolean => !LEFT.test(name)
export const isTaken = (name: string): boolean => isSeen(name) && TAKEN.test(name)

/** It was there at the look before, as it is now (D-1250). */
export function isWhole({ name, size, changed }: FoundFile, before: Waiting): boolean {
  const known = Object.hasOwn(before, name) ? before[name] : undefined
  return known?.size === size && known.changed === changed
}

export const waitingOf = (files: readonly FoundFile[]): Waiting =>
  Object.fromEntries(files.map(({ name, size, changed }) => [name, { size, changed }]))
