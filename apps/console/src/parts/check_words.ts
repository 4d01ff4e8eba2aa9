/** Names of a decision's checks, and the amount that would have passed. */

import type { Check } from '../api/types.ts'
import { checks } from '../i18n/en/checks.ts'
import { moneyText } from './values.tsx'

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

/** Amounts within the detail of a check, in minor units of the account's currency. */
const OF_ACCOUNT: Readonly<Record<string, RegExp>> = {
  funds: /(?<=^available )-?\d+|(?<=charges of )\d+/g,
  'amount bounds': /^\d+(?=,|$)|(?<=_amount )\d+$/g,
  velocity: /(?<!\d)\d+(?= [<>+] )|(?<=[<>+] )\d+/g,
  'balance limits': /^-?\d+(?=,)|(?<=_amount )\d+/g,
  currency: /(?<=: )\d+$/g,
  purchase: /(?<=at most )\d+$|(?<=^none, )\d+(?= of )|(?<= of )\d+(?= today$)/g,
}
/** The same in the currency of the message. */
const OF_MESSAGE: Readonly<Record<string, RegExp>> = {
  amount: /^\d+$/g,
  purchase: /(?<!\d)\d+(?= not refunded$)/g,
  responder: /(?<=^approved )\d+(?= of )|(?<=^approved \d+ of )\d+/g,
}

/** Currencies in which a decision counts; undefined leaves its numbers as they are. */
export type CheckCurrencies = { account: string | undefined; message: string | undefined }

/** The detail of a check with its amounts as money: `available AED 88.00`. */
export function detailOf({ check, detail = '' }: Check, { account, message }: CheckCurrencies) {
  const inMoney = (text: string, amounts: RegExp | undefined, currency: string | undefined) =>
    amounts === undefined || currency === undefined
      ? text
      : text.replace(amounts, (minor) =>
          moneyText(Number(minor) / 10 ** exponentOf(currency), currency),
        )
  return inMoney(inMoney(detail, OF_ACCOUNT[check], account), OF_MESSAGE[check], message)
}

function exponentOf(currency: string): number {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  return format.resolvedOptions().maximumFractionDigits ?? 2
}
