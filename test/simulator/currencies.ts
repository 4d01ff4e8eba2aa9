/** Currencies of payments in a round: each has its own, whose rate moves with that payment alone. */

import type { Bank } from './bank.ts'
import type { Rate } from './belief.ts'
import type { Schedule } from './schedule.ts'

/** Decimals of each currency; minor units times whole numbers over `per` are whole again. */
const CURRENCIES = [
  { currency: 'USD', decimals: 2, per: 1n },
  { currency: 'EUR', decimals: 2, per: 1n },
  { currency: 'GBP', decimals: 2, per: 1n },
  { currency: 'CHF', decimals: 2, per: 1n },
] as const

const RATES = [2n, 3n, 4n, 5n] as const

/**
 * The currency of the `at`-th payment of a round, and the change of its rate; nothing if the
 * currency is the account's.
 */
export function currencyOf(bank: Bank, schedule: Schedule, at: number) {
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
