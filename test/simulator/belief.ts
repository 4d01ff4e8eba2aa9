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
  /** Presented and refunded, and not taken back. */
  presented = 0n
  refunded = 0n
  /** The network stood in, so that funds and limits did not bind. */
  isForced = false
  /** The rate in force now. */
  rate: Rate
  readonly #isForeign: boolean
  /** The scheme says what each presentment is in the account's currency (D-1034). */
  readonly #isBilled: boolean
  #authorizedAt: Rate
  #clearedAt: Rate
  #settled = 0n
  #fees = 0n
  #isExpired = false
  /** Presented although it was reversed or declined (D-1037), in the account's currency. */
  #apart = 0n
  #apartFees = 0n
  #authorized = 0n
  /** The most that was authorized, which a payment counts at most (D-430). */
  #most = 0n

  constructor(rate: Rate, isForeign: boolean, isBilled = false) {
    this.#isBilled = isBilled
    this.rate = rate
    this.#authorizedAt = rate
    this.#clearedAt = rate
    this.#isForeign = isForeign
  }

  /** Authorized and not taken back. */
  get authorized(): bigint {
    return this.#authorized
  }

  set authorized(amount: bigint) {
    this.#authorized = amount
    if (amount > this.#most) this.#most = amount
  }

  get open(): bigint {
    return this.authorized > this.presented ? this.authorized - this.presented : 0n
  }

  present(amount: bigint): void {
    if (this.presented === 0n) this.#clearedAt = this.rate
    this.presented += amount
    this.#settled += worth(amount, this.rate)
    if (this.#isForeign) this.#fees += percentOf(worth(amount, this.#postedAt), FOREIGN_PERCENT)
  }

  /** Presents what was reversed or declined, whatever the account and its limits say. */
  presentApart(amount: bigint): void {
    this.isForced = true
    this.#apart = worth(amount, this.rate)
    this.#apartFees = this.#isForeign ? percentOf(this.#apart, FOREIGN_PERCENT) : 0n
  }

  takeBackApart(): void {
    this.#apart = 0n
    this.#apartFees = 0n
  }

  get #postedAt(): Rate {
    return this.#isBilled ? this.#clearedAt : this.#authorizedAt
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
    const taken = held + worth(this.presented, this.#postedAt)
    const most = worth(this.#most, this.#authorizedAt)
    return {
      held,
      posted: worth(this.presented - this.refunded, this.#postedAt) + this.#apart,
      settled: this.#settled + this.#apart,
      counted: (taken < most ? taken : most) + this.#apart,
      fees: this.#fees + this.#apartFees,
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
