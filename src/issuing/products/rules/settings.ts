/** Authorization settings: what is sent is laid over what was set, member by member (D-104). */

import { formatAmount, parseAmount } from '#lib/money.ts'
import type { Fault } from '#lib/result.ts'
import {
  type AuthSettings,
  type AuthSettingsInput,
  type ListIdsInput,
  type StoredAuthSettings,
  switches,
} from '../schema.ts'

export type MergedSettings = { settings: StoredAuthSettings; faults: Fault[] }

/** What a field holds before the change, with the currency whose minor units it is in. */
type Kept = { minor: bigint | undefined; currency: string }

/**
 * An amount after a change: as given, cleared by null, or what it was; minor units of `currency`.
 * What it was is read again as major units, because the currency may have changed.
 */
export function changedAmount(
  given: number | string | null | undefined,
  kept: Kept,
  currency: string,
  path: string,
): { minor: bigint | undefined; faults: Fault[] } {
  const before = kept.minor === undefined ? null : formatAmount(kept.minor, kept.currency)
  const value = given === undefined ? before : given
  if (value === null) return { minor: undefined, faults: [] }
  const parsed = parseAmount(value, currency)
  return parsed.ok
    ? { minor: parsed.minor, faults: [] }
    : { minor: undefined, faults: [{ path, message: parsed.message }] }
}

/**
 * The settings after a change, and every fault of the change. `prefix` stands before the names of
 * the members in the paths of faults. The currencies are those of the product, before and after.
 */
export function mergeAuthSettings(
  before: StoredAuthSettings,
  given: AuthSettingsInput,
  { from, to, prefix }: { from: string; to: string; prefix: string },
): MergedSettings {
  const settings: StoredAuthSettings = {}
  for (const name of switches) {
    const value = given[name] === undefined ? before[name] : given[name]
    if (value !== undefined && value !== null) settings[name] = value
  }
  const faults: Fault[] = []
  for (const name of ['min_amount', 'max_amount'] as const) {
    const was = before[name]
    const kept = { minor: was === undefined ? undefined : BigInt(was), currency: from }
    const changed = changedAmount(given[name], kept, to, prefix + name)
    if (changed.minor !== undefined) settings[name] = changed.minor.toString()
    faults.push(...changed.faults)
  }
  const { min_amount, max_amount } = settings
  if (min_amount !== undefined && max_amount !== undefined) {
    if (BigInt(min_amount) > BigInt(max_amount)) {
      faults.push({ path: `${prefix}max_amount`, message: 'must not be below min_amount' })
    }
  }
  return { settings, faults }
}

/** The settings as answered: amounts in major units of the product's currency. */
export function presentStoredAuthSettings(
  stored: StoredAuthSettings,
  currency: string,
): AuthSettings {
  const { min_amount, max_amount, ...set } = stored
  return {
    ...set,
    ...(min_amount !== undefined && { min_amount: formatAmount(BigInt(min_amount), currency) }),
    ...(max_amount !== undefined && { max_amount: formatAmount(BigInt(max_amount), currency) }),
  }
}

/** What has no effect is refused until it has one (D-130). */
export function faultsOfUnbuilt({ otp_3ds = false }: { otp_3ds?: boolean }): Fault[] {
  return otp_3ds ? [{ path: 'otp_3ds', message: 'is not built yet: leave it out' }] : []
}

/** No list of countries, MCCs or merchants can be made yet, so any id names none (D-114). */
export function faultsOfLists(given: ListIdsInput): Fault[] {
  const names = ['allowed_countries_id', 'allowed_mccs_id', 'allowed_merchants_id'] as const
  return names
    .filter((name) => given[name] !== undefined && given[name] !== null)
    .map((path) => ({ path, message: 'does not exist' }))
}
