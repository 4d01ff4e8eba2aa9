/**
 * Amounts of messages in the currency of the account (D-51, D-456). A transaction in another
 * currency keeps both amounts. Its parts are proportional to the converted whole, so that they add
 * up to exactly the whole, and the hold comes to exactly zero.
 */

import { BALANCE_MAX } from '#issuing/ledger/rules.ts'
import type { AppliedRate } from '#issuing/rates/rates.ts'
import {
  clearedOf,
  type Foreign,
  heldOf,
  refundedOf,
  type TransactionRow,
} from '#issuing/transactions/rules.ts'
import { convert, formatDecimal, portionOf } from '#lib/money.ts'
import type { AuthorizationRequest } from '../../schema.ts'
import type { Case } from '../case.ts'
import type { Part } from '../rows.ts'

/** The key of a rate in a batch. */
export const rateKey = (from: string, to: string): string => `${from}|${to}`

/**
 * An amount of the message, by default its own, in minor units of the account's currency, rounded
 * half-even. Undefined without a rate, and for more than 15 digits.
 */
export function billed(
  { request, currency: to, rate }: Case,
  amount = request.amount,
): bigint | undefined {
  const { currency: from } = request
  if (to === undefined) return undefined
  if (to === from) return amount
  if (rate === undefined) return undefined
  const converted = convert(amount, from, to, rate)
  return converted <= BALANCE_MAX ? converted : undefined
}

/**
 * The rate by which the scheme bills the message: its own, or exactly that of its two amounts, if
 * they do not follow from it. Undefined if it bills nothing in the account's currency (D-1034).
 */
export function rateOfScheme(
  { amount, currency: from, billed: scheme }: AuthorizationRequest,
  to: string,
): string | undefined {
  if (!scheme || scheme.currency !== to || amount === 0n || scheme.amount === 0n) return undefined
  const { rate } = scheme
  if (rate !== undefined && convert(amount, from, to, rate) === scheme.amount) return rate
  return `${formatDecimal(scheme.amount, to)}/${formatDecimal(amount, from)}`
}

/**
 * The message with the amount that the scheme bills in its own currency, where that is the
 * account's: it is held and posted in place of DE4, and what a reversal leaves is in proportion
 * (D-1441).
 */
export function inBilledAmount(
  request: AuthorizationRequest,
  to: string | undefined,
): AuthorizationRequest {
  const { amount: sent, currency: from, billed: scheme, remaining_amount: stays } = request
  if (from !== to || scheme?.currency !== to || sent === 0n || scheme.amount === 0n) return request
  const { amount } = scheme
  if (amount === sent) return request
  const rest = stays !== undefined && { remaining_amount: portionOf(amount, sent, stays) }
  return { ...request, amount, ...rest }
}

/** Whether the scheme says what the message is in the currency of the account. */
export const isBilledByScheme = ({ request, currency }: Case): boolean =>
  currency !== undefined &&
  currency !== request.currency &&
  rateOfScheme(request, currency) !== undefined

/** The same for a message whose conversion was checked before. */
export function billedOf(input: Case, amount?: bigint): bigint {
  const billing = amount === undefined ? input.billing : billed(input, amount)
  if (billing === undefined) throw new Error(`no rate from ${input.request.currency}`)
  return billing
}

/**
 * Minor units of the message's currency that `available` pays, at most: zero if the message has no
 * rate or not even one unit is covered.
 */
export function coveredBy(input: Case, available: bigint): bigint {
  const { currency: to, rate } = input
  const { currency: from } = input.request
  if (to === from || to === undefined) return available
  if (rate === undefined || available <= 0n) return 0n
  let amount = convert(available, to, from, inverseOf(rate))
  while (convert(amount, from, to, rate) > available) amount -= 1n
  return convert(amount, from, to, rate) > 0n ? amount : 0n
}

const inverseOf = (rate: string): string => {
  const [over = '', under = '1'] = rate.split('/')
  return `${under}/${over}`
}

/** The part of the hold that belongs to `amount`. */
export const heldPart = (row: TransactionRow, amount: bigint): Part => ({
  amount,
  billing: portionOf(row.held, heldOf(row), amount),
})

/** The part of the posted and not refunded sum that belongs to `amount`. */
export const clearedPart = (row: TransactionRow, amount: bigint): Part => ({
  amount,
  billing: portionOf(
    row.cleared_amount - row.refunded_amount,
    clearedOf(row) - refundedOf(row),
    amount,
  ),
})

/**
 * A part that is posted, with the amount that the network gets or gives for it, in the account's
 * currency.
 */
export type Clearing = Part & { settled: bigint; by_scheme?: true }

/**
 * The cardholder pays the authorized amount of a clearing at the rate of the authorization, and the
 * excess at the rate of now. The network is paid all of it at the rate of now (D-457).
 */
export function clearingOf(input: Case, row: TransactionRow): Clearing {
  const { amount } = input.request
  if (!row.foreign) return { amount, billing: amount, settled: amount }
  // The amount that the scheme bills is posted (D-1034).
  if (isBilledByScheme(input)) {
    return { amount, billing: billedOf(input), settled: billedOf(input), by_scheme: true }
  }
  const rest = atLeastZero(row.amount - clearedOf(row))
  const billing_rest = atLeastZero((row.billing_amount ?? 0n) - row.cleared_amount)
  const authorized = amount < rest ? amount : rest
  const excess = billedOf(input, amount - authorized)
  const billing = portionOf(billing_rest, rest, authorized) + excess
  return { amount, billing, settled: billedOf(input) }
}

/** The amount that the network gets back if `part` of the posted amount is reversed. */
export function takenBackOf(row: TransactionRow, part: Part): Clearing {
  const { foreign } = row
  if (!foreign) return { ...part, settled: part.billing }
  return { ...part, settled: portionOf(foreign.settled, clearedOf(row), part.amount) }
}

/** The state of a transaction after a clearing, or after the reversal of one. */
export function afterClearing(
  { cleared_amount, foreign }: TransactionRow,
  { amount, billing, settled, by_scheme }: Clearing,
  clearing_rate = foreign?.clearing_rate,
): Pick<TransactionRow, 'cleared_amount' | 'foreign'> {
  return {
    cleared_amount: cleared_amount + billing,
    foreign: foreign && {
      ...foreign,
      cleared: foreign.cleared + amount,
      settled: foreign.settled + settled,
      ...(by_scheme && { by_scheme }),
      ...(clearing_rate !== undefined && { clearing_rate }),
    },
  }
}

/** The state after a refund, or after the reversal of one. */
export function afterRefund(
  { refunded_amount, foreign }: TransactionRow,
  { amount, billing }: Part,
): Pick<TransactionRow, 'refunded_amount' | 'foreign'> {
  return {
    refunded_amount: refunded_amount + billing,
    foreign: foreign && { ...foreign, refunded: foreign.refunded + amount },
  }
}

export const negated = ({ amount, billing, settled }: Clearing): Clearing => ({
  amount: -amount,
  billing: -billing,
  settled: -settled,
})

/** The amounts of a new transaction in another currency; `posted` if its message posts at once. */
export function newForeign(
  rate: string,
  posted: Clearing | undefined,
  by_scheme: boolean,
): Foreign {
  const mark = by_scheme && { by_scheme }
  const none = { rate, ...mark, held: 0n, cleared: 0n, refunded: 0n, settled: 0n }
  if (!posted) return none
  return { ...none, clearing_rate: rate, cleared: posted.amount, settled: posted.settled }
}

const atLeastZero = (amount: bigint): bigint => (amount > 0n ? amount : 0n)

/** The rates by their keys, without missing ones. */
export const ratesByKey = (rates: readonly AppliedRate[]): Map<string, string> =>
  new Map(rates.flatMap(({ from, to, rate }) => (rate === null ? [] : [[rateKey(from, to), rate]])))
