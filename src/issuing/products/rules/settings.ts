/** Authorization settings: members that are sent replace stored ones (D-104). */

import { formatAmount, parseAmount } from '#lib/money.ts'
import type { Fault } from '#lib/result.ts'
import {
  type AuthSettings,
  type AuthSettingsInput,
  type StoredAuthSettings,
  switches,
} from '../schema.ts'

export type MergedSettings = { settings: StoredAuthSettings; faults: Fault[] }

/** The amount before the change, with the currency of its minor units. */
type StoredAmount = { minor: bigint | undefined; currency: string }

/**
 * An amount after a change, in minor units of `currency`: as sent, cleared by null, or unchanged.
 * An unchanged one is parsed again from major units, because the currency may have changed.
 */
export function changedAmount(
  input: number | string | null | undefined,
  stored: StoredAmount,
  currency: string,
  path: string,
): { minor: bigint | undefined; faults: Fault[] } {
  const before = stored.minor === undefined ? null : formatAmount(stored.minor, stored.currency)
  const value = input === undefined ? before : input
  if (value === null) return { minor: undefined, faults: [] }
  const parsed = parseAmount(value, currency)
  return parsed.ok
    ? { minor: parsed.minor, faults: [] }
    : { minor: undefined, faults: [{ path, message: parsed.message, rests_on: ['currency'] }] }
}

/**
 * The settings after a change, and every fault of the change. `prefix` precedes the names of the
 * members in the paths of faults. The currencies are those of the product, before and after.
 */
export function mergeAuthSettings(
  before: StoredAuthSettings,
  changes: AuthSettingsInput,
  { from, to, prefix }: { from: string; to: string; prefix: string },
): MergedSettings {
  const settings: StoredAuthSettings = {}
  for (const name of switches) {
    const value = changes[name] === undefined ? before[name] : changes[name]
    if (value !== undefined && value !== null) settings[name] = value
  }
  const faults: Fault[] = []
  for (const name of ['min_amount', 'max_amount'] as const) {
    const was = before[name]
    const stored = { minor: was === undefined ? undefined : BigInt(was), currency: from }
    const changed = changedAmount(changes[name], stored, to, prefix + name)
    if (changed.minor !== undefined) settings[name] = changed.minor.toString()
    faults.push(...changed.faults)
  }
  const { min_amount, max_amount } = settings
  if (min_amount !== undefined && max_amount !== undefined) {
    if (BigInt(min_amount) > BigInt(max_amount)) {
      const rests_on = [`${prefix}min_amount`, 'currency']
      const message = 'must not be below min_amount'
      faults.push({ path: `${prefix}max_amount`, message, rests_on })
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
