/**
 * A request in the address of the page, so that a link opens it on another desk, and the requests
 * that the browser keeps. Neither has the PIN or the CVV2.
 */

import { useState } from 'react'
import { useActing } from '../../api/acting.ts'
import { useSession } from '../../api/session.ts'
import { keep, keptJson } from '../../api/storage.ts'
import { CHANNELS, CRYPTOGRAMS, RESULTS, TYPES, VERSIONS } from './channels.ts'
import { initial, type Typed } from './typed.ts'

const TEXTS = [
  ...(['merchant', 'mcc', 'country', 'amount', 'currency'] as const),
  ...(['city', 'acceptor', 'expiry', 'atc'] as const),
]
const CHOICES = ['mode', 'channel', 'type', 'three_ds', 'cryptogram', 'version'] as const

const KNOWN: Readonly<Record<(typeof CHOICES)[number], readonly string[]>> = {
  mode: ['real', 'what_if'],
  channel: CHANNELS,
  type: TYPES,
  three_ds: RESULTS,
  cryptogram: CRYPTOGRAMS,
  version: VERSIONS,
}

/** The names of the query of the address, beside that of the card. */
export const SHARED = [...TEXTS, ...CHOICES, 'partial'] as const
type Shared = Partial<Record<(typeof SHARED)[number] | 'card_id', string>>

/** A text of the address is cut; the form says its faults. */
const TEXT_MAX = 40

/** The members that differ from a new request, and the card. */
export function sharedOf(typed: Typed): Shared {
  const texts = [...TEXTS, ...CHOICES].flatMap((name) =>
    typed[name] === initial[name] ? [] : [[name, typed[name]] as const],
  )
  return {
    card_id: typed.card_id,
    ...Object.fromEntries(texts),
    ...(typed.partial && { partial: 'true' }),
  }
}

/** The request that an address has; `currency` is that of a new one. */
export function typedOf(shared: Shared, currency: string): Typed {
  const texts = TEXTS.map((name) => [name, shared[name]?.slice(0, TEXT_MAX)] as const)
  const choices = CHOICES.map((name) => {
    const value = shared[name]
    return [name, value !== undefined && KNOWN[name].includes(value) ? value : undefined] as const
  })
  const known = [...texts, ...choices].filter(([, value]) => value !== undefined)
  return {
    ...initial,
    currency,
    card_id: shared.card_id ?? '',
    partial: shared.partial === 'true',
    // Each value is a text, or one of those that its member has.
    ...(Object.fromEntries(known) as Partial<Typed>),
  }
}

export type Kept = { id: string; shared: Shared }

const KEPT_MAX = 20

/** The requests that this browser keeps, of one member for one tenant, the newest first. */
export function useKept() {
  const { data } = useSession()
  const acting = useActing()
  const place = `bezant.requests.${data?.member.id ?? ''}.${data?.tenant?.id ?? acting?.id ?? ''}`
  const [all, setAll] = useState(() => readKept(place))
  const change = (next: readonly Kept[]) => {
    setAll(next)
    keep('browser', place, next.length === 0 ? undefined : JSON.stringify(next))
  }
  const add = (typed: Typed) => {
    const shared = sharedOf(typed)
    const id = JSON.stringify(shared)
    change([{ id, shared }, ...all.filter((one) => one.id !== id)].slice(0, KEPT_MAX))
  }
  const remove = (id: string) => change(all.filter((one) => one.id !== id))
  return { all, add, remove }
}

function readKept(place: string): readonly Kept[] {
  const kept = keptJson('browser', place)
  // They are as this file has kept them.
  return Array.isArray(kept) ? (kept as Kept[]) : []
}
