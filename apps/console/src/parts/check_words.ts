/** Names of a decision's checks, and the amount that would have passed. */

import type { Check } from '../api/types.ts'
import { checks } from '../i18n/en/checks.ts'

export type KnownCheck = keyof typeof checks.known

const isKnown = (key: string): key is KnownCheck => Object.hasOwn(checks.known, key)

/** The key of a check in the texts: `PIN tries` is `pin_tries`. Undefined for a new check. */
export function keyOfCheck(name: string): KnownCheck | undefined {
  const key = name.toLowerCase().replaceAll(' ', '_')
  return isKnown(key) ? key : undefined
}

/** `available 1000, with charges of 5`, in minor units of the account's currency. */
const FUNDS = /^available (-?\d+)(?:, with charges of (\d+))?/
/** `1100, card max_amount 500`. */
const BOUND = /max_amount (\d+)$/

/** The largest amount that this check would have let pass, in major units of `currency`. */
export function mostOf({ check, detail = '', verdict }: Check, currency: string) {
  if (verdict !== 'refused') return undefined
  const minor = check === 'funds' ? fundsLeft(detail) : boundIn(check, detail)
  return minor === undefined || minor <= 0 ? undefined : minor / 10 ** exponentOf(currency)
}

function fundsLeft(detail: string): number | undefined {
  const [whole, available, charges = '0'] = FUNDS.exec(detail) ?? []
  return whole === undefined ? undefined : Number(available) - Number(charges)
}

function boundIn(check: string, detail: string): number | undefined {
  const [, bound] = (check === 'amount bounds' && BOUND.exec(detail)) || []
  return bound === undefined ? undefined : Number(bound)
}

function exponentOf(currency: string): number {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  return format.resolvedOptions().maximumFractionDigits ?? 2
}
