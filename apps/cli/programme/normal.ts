/** One form for what is the same, so that a file and the platform can be compared. */

import { toAlpha3 } from '#lib/country.ts'
import { isMembers, type Members, type Value } from '../kit/values.ts'
import type { Section } from './kinds.ts'

/** Lists whose order has no meaning, at any depth. */
const SETS = new Set([
  ...['country_codes', 'mccs', 'merchants', 'allowed_issuing_countries', 'checks', 'events'],
  ...['transaction_scope', 'velocity_limits', 'balance_limits', 'charges', 'custom_headers'],
])
const COUNTRIES = new Set(['country_codes', 'allowed_issuing_countries'])

/** The entries of a section by their names. */
export function entriesOf(section: Section, members: Members): Map<string, Members> {
  // The schema has checked that each is an object.
  const entries = Object.entries(members) as [string, Members][]
  return new Map(entries.map(([name, entry]) => [name, normalised(section, entry)]))
}

/**
 * Sets in order, countries by alpha-3 code, no switch that is on, and nothing that is null: in an
 * entry null is the same as absent. In settings null stays: an absent one is left as it is (D-832).
 */
export function normalised(section: Section | 'settings', entry: Members): Members {
  const { responder, auth_settings } = entry
  if (section === 'settings') {
    const own = isMembers(responder) ? { responder: responderOf(responder) } : {}
    return membersOf({ ...entry, ...own }, true)
  }
  const own = isMembers(auth_settings) ? { auth_settings: switchesOf(auth_settings) } : {}
  return membersOf({ ...entry, ...own }, false)
}

/** A switch that is absent is on. */
function switchesOf(settings: Members): Members {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== true))
}

/**
 * The responder as the platform stores it: no listener is the same as none, and actions are in
 * capitals.
 */
function responderOf({ listener, default_action, ...rest }: Members): Members {
  return {
    ...rest,
    ...(listener === true && { listener }),
    ...(typeof default_action === 'string' && { default_action: default_action.toUpperCase() }),
  }
}

function membersOf(members: Members, keepsNull: boolean): Members {
  const entries = Object.entries(members)
    .filter(([, value]) => keepsNull || value !== null)
    .map(([name, value]) => [name, valueIn(name, value)] as const)
  return Object.fromEntries(entries)
}

function valueIn(name: string, value: Value): Value {
  if (Array.isArray(value)) {
    const items = value.map((item: Value) => {
      if (isMembers(item)) return sorted(item)
      return COUNTRIES.has(name) ? (toAlpha3(String(item)) ?? item) : item
    })
    if (!SETS.has(name)) return items
    return items
      .map((item) => [JSON.stringify(item), item] as const)
      .sort(([one], [other]) => (one < other ? -1 : Number(one > other)))
      .map(([, item]) => item)
  }
  return isMembers(value) ? membersOf(value, false) : value
}

/**
 * Sorted by the names of its members; `type` and other names that say what the object is come
 * first.
 */
function sorted(members: Members): Members {
  const weight = (name: string) => (/^(type|merchant_id|header_name)$/.test(name) ? 0 : 1)
  const entries = Object.entries(members).filter(([, value]) => value !== null)
  return Object.fromEntries(
    entries.sort(([a], [b]) => weight(a) - weight(b) || (a < b ? -1 : Number(a > b))),
  )
}
