/**
 * The network's belief about one payment, by own arithmetic. Amounts are minor units, those of the
 * message in its currency, `posted`, `held` and the rest in that of the account. Rates are whole,
 * so that every part converts without rounding.
 */

/** Minor units of the account's currency for so many of the payment's. */
export type Rate = { times: bigint; per: bigint }

export const SAME: Rate = { times: 1n, per: 1n }

/** The fee for an amount that is posted in another currency, per cent. */
export const FOREIGN_PERCENT = 1n

export type Sums = {
  held: bigint
  posted: bigint
  /** The amount that is paid to the network at the rates of the clearings. */
  settled: bigint
  /** The amount that velocity limits count. */
  counted: bigint
  fees: bigint
}

export const NOTHING: Sums = { held: 0n, posted: 0n, settled: 0n, counted: 0n, fees: 0n }

export class Belief {
  /** Authorized, presented and refunded, and not taken back. */
  authorized = 0n
  presented = 0n
  refunded = 0n
  /** The network stood in, so that funds and limits did not bind. */
  isForced = false
  /** The rate in force now. */
  rate: Rate
  readonly #isForeign: boolean
  #authorizedAt: Rate
  #clearedAt: Rate
  #settled = 0n
  #fees = 0n
  #isExpired = false

  constructor(rate: Rate, isForeign: boolean) {
    this.rate = rate
    this.#authorizedAt = rate
    this.#clearedAt = rate
    this.#isForeign = isForeign
  }

  get open(): bigint {
    return this.authorized > this.presented ? this.authorized - this.presented : 0n
  }

  present(amount: bigint): void {
    if (this.presented === 0n) this.#clearedAt = this.rate
    this.presented += amount
    this.#settled += worth(amount, this.rate)
    if (this.#isForeign) {
      this.#fees += percentOf(worth(amount, this.#authorizedAt), FOREIGN_PERCENT)
    }
  }

  /** Takes back so much of the presented amount. */
  takeBack(amount: bigint): void {
    this.presented -= amount
    this.#settled -= worth(amount, this.#clearedAt)
    // If nothing remains posted, the fees are given back.
    if (this.presented === 0n) this.#fees = 0n
  }

  refund(amount: bigint): void {
    this.refunded += amount
    this.#settled -= worth(amount, this.rate)
  }

  /** The hold has come to its end: nothing of it is held, and it may still be presented. */
  expire(): void {
    this.#isExpired = true
  }

  sums(): Sums {
    const held = this.#isExpired ? 0n : worth(this.open, this.#authorizedAt)
    return {
      held,
      posted: worth(this.presented - this.refunded, this.#authorizedAt),
      settled: this.#settled,
      counted: held + worth(this.presented, this.#authorizedAt),
      fees: this.#fees,
    }
  }
}

export const worth = (amount: bigint, { times, per }: Rate): bigint => {
  const product = amount * times
  if (product % per !== 0n) throw new Error(`${amount} at ${times}/${per} is not whole`)
  return product / per
}

/** Half-even. */
function percentOf(amount: bigint, percent: bigint): bigint {
  const [whole, rest] = [(amount * percent) / 100n, (amount * percent) % 100n]
  const isUp = rest > 50n || (rest === 50n && whole % 2n === 1n)
  return isUp ? whole + 1n : whole
}

export const added = (all: readonly Sums[]): Sums =>
  all.reduce(
    (sum, one) => ({
      held: sum.held + one.held,
      posted: sum.posted + one.posted,
      settled: sum.settled + one.settled,
      counted: sum.counted + one.counted,
      fees: sum.fees + one.fees,
    }),
    NOTHING,
  )
