/**
 * A single-threaded reference of accounts, holds, limits and a list, written from the decisions
 * (D-41 to D-48, D-106 to D-108, D-430, D-540) and not from the engine: the answer to each command
 * and its effects. Amounts are minor units.
 */

/** Two accounts of one user; a third card is on the second account. */
export const ACCOUNT_OF = [0, 0, 1] as const
/** The card that has the list of MCCs. */
const LISTED = 1
export type CardIndex = 0 | 1 | 2

export const OPENING = [100_000n, 50_000n] as const
/** Limits of the first account: the most of one transaction, and the amount that must remain. */
export const TRANSACTION_MAX = 40_000n
export const REMAINS = 5_000n
/** Limit of the second account: the highest balance by a load. */
export const BALANCE_MAX = 80_000n
/** Limits of the user, over both accounts. */
export const FREQUENCY = 6
export const FIRST_SUM_MAX = 90_000n
/** A completion may be above the authorized amount by so much (D-117). */
const TOLERANCE_PERCENT = 15n
export const BLOCKED_MCC = '7995'

export type Command =
  | { do: 'pay'; card: CardIndex; amount: bigint; isBlockedMcc: boolean; isSingle: boolean }
  | { do: 'raise' | 'complete' | 'refund'; of: number; amount: bigint }
  | { do: 'reverse'; of: number; part: bigint | null }
  | { do: 'load' | 'unload'; account: 0 | 1; amount: bigint }
  | { do: 'suspend' | 'activate'; card: CardIndex }
  | { do: 'list'; active: boolean }
  | { do: 'limit'; sum: bigint }

type Payment = {
  card: CardIndex
  isSingle: boolean
  status: 'PENDING' | 'SETTLED' | 'VOIDED' | 'DECLINED'
  /** Requested at first, authorized now, and authorized in all. */
  requested: bigint
  amount: bigint
  approved: bigint
  held: bigint
  cleared: bigint
  refunded: bigint
  isRaised: boolean
  /** Its first request was taken back in full. */
  isReversed: boolean
  /** The payment under whose reference it was requested again, when nothing of that was held. */
  of: number | undefined
}

export class CardModel {
  balance: [bigint, bigint] = [...OPENING]
  held: [bigint, bigint] = [0n, 0n]
  isSuspended = [false, false, false]
  isListActive = true
  sumMax = FIRST_SUM_MAX
  /** The sum and the number that count against the limits of the user. */
  sum = 0n
  number = 0
  /** Payments by the number of the command that made them. */
  payments = new Map<number, Payment>()
  /** Presented of a payment that was declined or reversed, with no other hold under its reference. */
  apart = new Map<number, bigint>()

  clone(): CardModel {
    return Object.assign(new CardModel(), structuredClone({ ...this }))
  }

  /** Equal where the states are. */
  text(): string {
    const payments = [...this.payments].sort(([one], [other]) => one - other)
    const apart = [...this.apart].sort(([one], [other]) => one - other)
    return JSON.stringify({ ...this, payments, apart }, (_name, value) =>
      typeof value === 'bigint' ? String(value) : value,
    )
  }

  /** The answer to the command with this number: a status code, or an HTTP status. */
  run(at: number, command: Command): string {
    switch (command.do) {
      case 'pay':
        return this.#pay(at, command)
      case 'raise':
        return this.#raise(at, command.of, command.amount)
      case 'complete':
        return this.#completeLive(command.of, command.amount)
      case 'refund':
        return this.#counting(command.of, (paid) => this.#refund(paid, command.amount))
      case 'reverse':
        return this.#counting(command.of, (paid) => this.#reverse(paid, command.part))
      case 'load':
        return this.#load(command.account, command.amount)
      case 'unload':
        return this.#unload(command.account, command.amount)
      case 'suspend':
      case 'activate':
        this.isSuspended[command.card] = command.do === 'suspend'
        return '200'
      case 'list':
        this.isListActive = command.active
        return '200'
      case 'limit':
        this.sumMax = command.sum
        return '200'
    }
  }

  available(account: 0 | 1): bigint {
    return this.balance[account] - this.held[account]
  }

  /** The first check that declines, in the order of D-43. */
  #fault(card: CardIndex, amount: bigint, isBlockedMcc: boolean, before?: bigint) {
    const account = ACCOUNT_OF[card]
    const left = this.available(account) - amount
    if (this.isSuspended[card]) return '1003'
    if (card === LISTED && this.isListActive && isBlockedMcc) return '1879'
    if (account === 0 && (before ?? 0n) + amount > TRANSACTION_MAX) return '1896'
    if (this.sum + amount > this.sumMax) return '1897'
    if (before === undefined && this.number >= FREQUENCY) return '1898'
    if (left < 0n) return '1016'
    return account === 0 && left < REMAINS ? '1876' : undefined
  }

  #pay(
    at: number,
    given: { card: CardIndex; amount: bigint; of?: number } & Record<string, unknown>,
  ): string {
    const { card, amount, isSingle, isBlockedMcc, of } = given
    const code = this.#fault(card, amount, isBlockedMcc === true)
    const nothing = { held: 0n, cleared: 0n, refunded: 0n, isRaised: false, isReversed: false }
    const amounts = { amount, requested: amount, approved: amount }
    const payment = { ...nothing, ...amounts, card, isSingle: isSingle === true, of }
    if (code !== undefined) {
      this.payments.set(at, { ...payment, status: 'DECLINED' })
      return code
    }
    const account = ACCOUNT_OF[card]
    // Presented before: that much is not held again.
    const apart = this.#isAuthorized(of) ? 0n : (this.apart.get(of ?? -1) ?? 0n)
    const held = atLeastNone(amount - apart)
    if (isSingle) this.balance[account] -= amount
    else this.held[account] += held
    this.sum += isSingle ? amount : held
    if (isSingle || held > 0n) this.number += 1
    this.payments.set(
      at,
      isSingle
        ? { ...payment, status: 'SETTLED', cleared: amount }
        : { ...payment, status: held > 0n ? 'PENDING' : 'SETTLED', held },
    )
    return '0000'
  }

  /** Something of the payment is authorized. */
  #isAuthorized(of: number | undefined): boolean {
    return [...this.payments].some(
      ([at, one]) => (at === of || (of !== undefined && one.of === of)) && !isVoid(one),
    )
  }

  /** A presentment of what is void is one of the hold that was approved in its place. */
  #completeLive(of: number, amount: bigint): string {
    const paid = this.payments.get(of)
    if (!paid || !isVoid(paid)) return this.#counting(of, (one) => this.#complete(one, amount))
    const found = [...this.payments].findLast(
      ([, one]) => one.of === of && one.status === 'PENDING',
    )
    if (found) return this.#counting(found[0], (one) => this.#complete(one, amount))
    this.apart.set(of, (this.apart.get(of) ?? 0n) + amount)
    return this.#postApart(paid, amount, paid.status === 'VOIDED' ? '1894' : '9115')
  }

  /** An increment of what is held no more is a payment of its own, unless more was presented. */
  #raise(at: number, of: number, amount: bigint): string {
    const paid = this.payments.get(of)
    if (!paid) throw new Error(`no payment ${of}`)
    const isOver = paid.status === 'SETTLED' && !paid.isSingle && paid.cleared > paid.amount
    if (paid.held === 0n && !isOver) return this.#pay(at, { card: paid.card, amount, of })
    const code = this.#fault(paid.card, amount, false, paid.amount)
    if (code !== undefined) return code
    return this.#counting(of, () => {
      paid.amount += amount
      paid.approved += amount
      // A sum that was presented beyond the hold is not held.
      const free = paid.amount - paid.cleared
      const held = free > paid.held ? free - paid.held : 0n
      this.held[ACCOUNT_OF[paid.card]] += held
      paid.held += held
      if (paid.held > 0n) paid.status = 'PENDING'
      paid.isRaised = true
      return '0000'
    })
  }

  #complete(paid: Payment, amount: bigint): string {
    if (paid.isSingle) return '1858'
    const account = ACCOUNT_OF[paid.card]
    const released = amount < paid.held ? amount : paid.held
    this.held[account] -= released
    this.balance[account] -= amount
    paid.held -= released
    paid.cleared += amount
    paid.status = paid.held > 0n ? 'PENDING' : 'SETTLED'
    const most = paid.amount * (100n + TOLERANCE_PERCENT)
    return paid.cleared * 100n > most ? '1855' : '0000'
  }

  /** The network has settled what it reversed, or we declined, as one of its own (D-1037). */
  #postApart(paid: Payment, amount: bigint, code: string): string {
    this.balance[ACCOUNT_OF[paid.card]] -= amount
    this.sum += amount
    this.number += 1
    return code
  }

  #refund(paid: Payment, amount: bigint): string {
    if (paid.status === 'VOIDED') return '1894'
    if (amount > paid.cleared - paid.refunded) return '1854'
    this.balance[ACCOUNT_OF[paid.card]] += amount
    paid.refunded += amount
    return '0000'
  }

  #reverse(paid: Payment, part: bigint | null): string {
    if (paid.status === 'DECLINED') return '9115'
    if (paid.status === 'VOIDED') return '1894'
    const account = ACCOUNT_OF[paid.card]
    const reach = paid.held > 0n ? paid.held : paid.cleared
    const wanted = part ?? (paid.held > 0n && paid.isRaised ? paid.requested : reach)
    const taken = wanted < reach ? wanted : reach
    // Each of several messages that made one hold is reversed once (D-540).
    if (paid.held > 0n && paid.isRaised && paid.isReversed) return '1894'
    if (paid.held > 0n) {
      paid.isReversed ||= taken >= paid.requested
      this.held[account] -= taken
      paid.held -= taken
      if (paid.held === 0n && paid.cleared === 0n) paid.status = 'VOIDED'
      else {
        paid.amount -= taken
        if (paid.held === 0n) paid.status = 'SETTLED'
      }
      return '0000'
    }
    // An amount that was cleared apart is taken back by a refund, and a refunded one is not paid
    // twice.
    if (!paid.isSingle || paid.cleared - taken < paid.refunded) return '1858'
    this.balance[account] += taken
    paid.cleared -= taken
    if (paid.cleared === 0n) paid.status = 'VOIDED'
    else paid.amount -= taken
    return '0000'
  }

  #load(account: 0 | 1, amount: bigint): string {
    if (account === 1 && this.balance[1] + amount > BALANCE_MAX) return '409'
    this.balance[account] += amount
    return '200'
  }

  #unload(account: 0 | 1, amount: bigint): string {
    const left = this.available(account) - amount
    if (left < 0n || (account === 0 && left < REMAINS)) return '409'
    this.balance[account] -= amount
    return '200'
  }

  /** A payment counts what is held and cleared of it, at most what was authorized (D-430). */
  #counting(of: number, change: (paid: Payment) => string): string {
    const paid = this.payments.get(of)
    if (!paid) throw new Error(`no payment ${of}`)
    const before = countedOf(paid)
    const code = change(paid)
    const after = countedOf(paid)
    this.sum += after - before
    if (before > 0n && after === 0n) this.number -= 1
    if (before === 0n && after > 0n) this.number += 1
    return code
  }
}

const isVoid = ({ status }: Payment) => status === 'VOIDED' || status === 'DECLINED'

/** The number, or none in place of less. */
export const atLeastNone = (number: bigint) => (number > 0n ? number : 0n)

function countedOf({ status, held, cleared, approved }: Payment): bigint {
  if (status === 'DECLINED') return 0n
  return held + cleared < approved ? held + cleared : approved
}
