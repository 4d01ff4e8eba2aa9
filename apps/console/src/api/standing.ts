/**
 * The member whose pages this tab shows, and whether the session of the browser is still that
 * member's (D-971). This file alone knows it: guards, calls and the shell ask here.
 */

import { useSyncExternalStore } from 'react'
import type { Session } from './types.ts'

/** Why the pages of the tab have no session any more. */
export type Lapse = { kind: 'ENDED' } | { kind: 'OTHER'; email: string }

let own: Session | undefined
let lapse: Lapse | undefined
/** Each change of the session begins an era: an answer of an earlier one says nothing of it. */
let era = 0
const listeners = new Set<() => void>()

/** One member may belong to one organization, leave it and join another one. */
const keyOf = ({ member, tenant }: Session): string => `${member.id} ${tenant?.id ?? ''}`

export const presentEra = (): number => era
export const ownSession = (): Session | undefined => own
export const presentLapse = (): Lapse | undefined => lapse

export function hearLapse(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useLapse = (): Lapse | undefined => useSyncExternalStore(hearLapse, presentLapse)

function setLapse(next: Lapse | undefined): void {
  if (lapse === next) return
  lapse = next
  for (const listener of listeners) listener()
}

/** The pages of the member are left: the next pages may be another person's. */
export function forgetMember(): void {
  own = undefined
  era += 1
  setLapse(undefined)
}

/** Marks that the session has changed: answers to earlier requests count no more. */
export function beginEra(): void {
  era += 1
}

/**
 * Takes what the server has answered, null if no one has signed in. Returns the session that
 * the pages are shown with: theirs, also where it has ended or another member has signed in.
 */
export function takeSession(read: Session | null): Session | null {
  if (own === undefined) {
    if (read === null) return null
    own = read
    tellTabs(keyOf(read))
    return read
  }
  if (read === null) setLapse({ kind: 'ENDED' })
  else if (keyOf(read) !== keyOf(own)) setLapse({ kind: 'OTHER', email: read.member.email })
  else {
    own = read
    setLapse(undefined)
  }
  return own
}

/** Null if no one has signed in any more, `CHANGED` where it is not known who has. */
type Told = string | null

const CHANGED = 'CHANGED'
const tabs = openTabs()

/** A browser that denies storage may deny this, too: each tab then looks by itself. */
function openTabs(): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel('bezant.session')
  } catch {
    return undefined
  }
}

function tellTabs(told: Told): void {
  tabs?.postMessage(told)
}

/** Tells the other tabs of the browser, which share the cookie of the session. */
export const tellOfChange = (): void => tellTabs(CHANGED)

/** Calls the listener where another tab has told of a session that is not this tab's. */
export function hearTabs(listener: () => void): void {
  tabs?.addEventListener('message', ({ data }: MessageEvent<Told>) => {
    const isSame = own !== undefined && lapse === undefined && data === keyOf(own)
    if (!isSame) listener()
  })
}
