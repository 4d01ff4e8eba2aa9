/** Currencies of payments in a round: each has its own, whose rate moves with that payment alone. */

import type { AuthorizationRequest } from '#issuing/authorization/schema.ts'
import type { Bank } from './bank.ts'
import { type Rate, SAME, worth } from './belief.ts'
import type { Schedule } from './schedule.ts'

/** Decimals of each currency; minor units times whole numbers over `per` are whole again. */
const CURRENCIES = [
  { currency: 'USD', decimals: 2, per: 1n },
  { currency: 'EUR', decimals: 2, per: 1n },
  { currency: 'GBP', decimals: 2, per: 1n },
  { currency: 'CHF', decimals: 2, per: 1n },
] as const

const RATES = [2n, 3n, 4n, 5n] as const

/** The bank has no rate of these: the scheme says what is billed. */
const BILLED = ['SEK', 'NOK', 'DKK', 'PLN'] as const

/** The amount of a message in the account's currency, as the scheme bills it (DE6, DE10, DE51). */
export type Bill = (amount: bigint) => NonNullable<AuthorizationRequest['billed']>

export type Foreign = { currency?: string; moveRate?: () => Promise<Rate>; bill?: Bill }

/** The currency of the `at`-th payment where the scheme bills it, at a rate that moves (D-1034). */
export function billedCurrencyOf(schedule: Schedule, at: number): Foreign {
  const currency = BILLED[at]
  if (!currency) return {}
  let rate = SAME
  const moveRate = async (): Promise<Rate> => {
    rate = { times: schedule.pick(RATES), per: 1n }
    schedule.note(`the scheme bills ${rate.times} AED for one ${currency}`)
    return rate
  }
  const bill = (amount: bigint) => {
    return { amount: worth(amount, rate), currency: 'AED', rate: String(rate.times) }
  }
  return { currency, moveRate, bill }
}

/**
 * The currency of the `at`-th payment of a round, and the change of its rate; nothing if the
 * currency is the account's.
 */
export function currencyOf(bank: Bank, schedule: Schedule, at: number): Foreign {
  const found = CURRENCIES[at]
  // The others are in the account's.
  if (!found) return {}
  const { currency, decimals, per } = found
  const moveRate = async (): Promise<Rate> => {
    const rate = { times: schedule.pick(RATES), per }
    schedule.note(`one ${currency} is ${rate.times} AED`)
    await schedule.during(bank.setRate(currency, rate, decimals))
    return rate
  }
  return { currency, moveRate }
}
