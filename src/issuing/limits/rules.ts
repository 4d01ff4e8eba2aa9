/**
 * The rules of limits, as pure arithmetic in minor units (D-41, D-42). The engine and the movements
 * of clients use the same functions.
 */

import type { ControlMode } from '#issuing/lists/schema.ts'
import { windowOf } from '#lib/window.ts'
import { OF_HOLDER, type StoredCount } from './rules/counters.ts'
import type { BalanceType, Scope, VelocityType } from './schema.ts'

export {
  CHAINS_IN_ROW,
  type ChainCounters,
  type ChangedChain,
  type GroupCounters,
  groupIn,
  groupOf,
  type HolderCounters,
  laidOver,
  mayBeApart,
  OF_HOLDER,
  type StoredCount,
  type StoredCounters,
  withCounted,
  withGroups,
} from './rules/counters.ts'

/** A limit as decisions use it; `version` is the one that it was read with. */
export type LimitTerms = {
  id: string
  /** See `counterName`. */
  short_id: bigint
  kind: 'BALANCE' | 'VELOCITY'
  type: BalanceType | VelocityType
  currency: string
  min_amount: bigint | null
  max_amount: bigint | null
  frequency: number | null
  period: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY' | 'LIFETIME' | null
  /** Null for a balance limit. */
  transaction_scope: readonly Scope[] | null
  mode: ControlMode
  version: bigint
}

/** Balance and available balance, of an account or summed over a user's accounts. */
export type Funds = { balance: bigint; available: bigint }
/** The account that money moves on, and all accounts of its user in its currency. */
export type Standing = { account: Funds; user: Funds }

export type BalanceCode = '1875' | '1876' | '1877' | '1878'
export type Beyond<Code> = { code: Code; limit: LimitTerms; detail: string }

const fundsFor = ({ type }: LimitTerms, { account, user }: Standing): Funds =>
  type === 'PER_USER' ? user : account

/** The first balance limit above which a credit would take the account, or its user (D-41). */
export function findExceeded(
  limits: readonly LimitTerms[],
  standing: Standing,
  amount: bigint,
): Beyond<BalanceCode> | undefined {
  for (const limit of limits) {
    const after = fundsFor(limit, standing).balance + amount
    if (limit.max_amount === null || after <= limit.max_amount) continue
    const code = limit.type === 'PER_USER' ? '1877' : '1875'
    return { code, limit, detail: `${after}, ${nameOf(limit)} max_amount ${limit.max_amount}` }
  }
  return undefined
}

/** The first balance limit below which a debit would take what remains available (D-41). */
export function findUndercut(
  limits: readonly LimitTerms[],
  standing: Standing,
  amount: bigint,
): Beyond<BalanceCode> | undefined {
  for (const limit of limits) {
    const after = fundsFor(limit, standing).available - amount
    if (limit.min_amount === null || after >= limit.min_amount) continue
    const code = limit.type === 'PER_USER' ? '1878' : '1876'
    return { code, limit, detail: `${after}, ${nameOf(limit)} min_amount ${limit.min_amount}` }
  }
  return undefined
}

/**
 * The most that a debit may take: the available funds, less the sum that must remain. May be
 * negative.
 */
export function debitRoom(limits: readonly LimitTerms[], standing: Standing): bigint {
  let room = standing.account.available
  for (const limit of limits) {
    const left = fundsFor(limit, standing).available - (limit.min_amount ?? 0n)
    if (limit.min_amount !== null && left < room) room = left
  }
  return room
}

/** The limits of a currency, those of one account before those of its user. */
export const ofCurrency = (limits: readonly LimitTerms[], currency: string): LimitTerms[] =>
  limits
    .filter((limit) => limit.currency === currency)
    .toSorted((one, other) => Number(one.type === 'PER_USER') - Number(other.type === 'PER_USER'))

/** The limits that decline; the others are in SHADOW. */
export const enforced = (limits: readonly LimitTerms[]): readonly LimitTerms[] =>
  limits.length === 0 ? limits : limits.filter(({ mode }) => mode === 'ENFORCED')

/** Whether a decision on these rests on the sum of a user's accounts. */
export const restOnUser = (limits: readonly LimitTerms[]): boolean =>
  limits.some(({ type }) => type === 'PER_USER')

/** The count of a window: minor units, and transactions. */
export type Count = { amount: bigint; number: number }
/** A debit that velocity limits are asked for. */
export type Spending = { amount: bigint; raises: bigint | undefined; withdraws: boolean }

export type VelocityCode = '1021' | '1896' | '1897' | '1898'

/** Whether a limit applies to withdrawals, or to all other debits. */
export const isInScope = ({ transaction_scope }: LimitTerms, withdraws: boolean): boolean =>
  transaction_scope?.some((scope) => scope === 'ALL' || (scope === 'WITHDRAWALS') === withdraws) ===
  true

/**
 * The code for the amount of one transaction; 1021 is that of a limit of withdrawals alone (D-44).
 */
const singleCode = ({ transaction_scope: scope }: LimitTerms): VelocityCode =>
  scope?.length === 1 && scope[0] === 'WITHDRAWALS' ? '1021' : '1896'

/**
 * Why a limit declines a debit. An increment is measured with the amount that it raises, and is no
 * further transaction.
 */
export function velocityFault(
  limit: LimitTerms,
  { amount, raises, withdraws }: Spending,
  counted: Count,
): Beyond<VelocityCode> | undefined {
  if (!isInScope(limit, withdraws)) return undefined
  const { type, min_amount, max_amount, frequency } = limit
  const beyond = (code: VelocityCode, what: string): Beyond<VelocityCode> => ({
    code,
    limit,
    detail: `${what}, ${nameOf(limit)}`,
  })
  const whole = (raises ?? 0n) + amount
  if (min_amount !== null && whole < min_amount)
    return beyond(singleCode(limit), `${whole} < ${min_amount}`)
  if (type === 'PER_TRANSACTION') {
    if (max_amount !== null && whole > max_amount)
      return beyond(singleCode(limit), `${whole} > ${max_amount}`)
  } else if (max_amount !== null && counted.amount + amount > max_amount) {
    return beyond('1897', `${counted.amount} + ${amount} > ${max_amount}`)
  }
  const isNew = raises === undefined
  return isNew && frequency !== null && counted.number >= frequency
    ? beyond('1898', `${counted.number} of ${frequency}`)
    : undefined
}

const nameOf = ({ id, type, period }: LimitTerms): string =>
  [type, period, id].filter((part) => part !== null).join(' ')

/** A velocity limit at one counter: `group` is a chain of the account's cards, or OF_HOLDER. */
export type VelocityRule = { limit: LimitTerms; holder_id: string; group: string }

/** The limits of a card. Limits in another currency than its account's are left out. */
export type CardLimits = { velocity: readonly VelocityRule[]; balance: readonly LimitTerms[] }

export const NO_LIMITS: CardLimits = { velocity: [], balance: [] }

/**
 * The limits that are linked to one card, its account and its user: the terms of each that exists.
 */
export type LinkedTerms = {
  /** The limits of the card and of its product. */
  chain: readonly LimitTerms[]
  account: readonly LimitTerms[]
  user: readonly LimitTerms[]
}
type Holder = { account_id: string; user_id: string | null; chain_id: string; currency: string }

/**
 * The holders at which velocity limits count: those of a product or a card over the chain of the
 * card, those of an account over its cards, those of a user over the user's cards. A limit that is
 * linked at product and card counts once.
 */
export function velocityRules(
  { chain, account, user }: LinkedTerms,
  { account_id, user_id, chain_id, currency }: Holder,
): VelocityRule[] {
  const rules: VelocityRule[] = []
  const add = (limits: Iterable<LimitTerms>, holder_id: string, group: string) => {
    for (const limit of limits) {
      if (limit.currency === currency) rules.push({ limit, holder_id, group })
    }
  }
  add(new Set(chain), account_id, chain_id)
  if (user_id !== null) add(user, user_id, OF_HOLDER)
  add(account, account_id, OF_HOLDER)
  return rules
}

export const NOTHING: Count = { amount: 0n, number: 0 }

/**
 * Names a limit in counters. The letter is there because the engine of JavaScript copies and writes
 * objects whose names are numbers much more slowly.
 */
export const counterName = ({ short_id }: Pick<LimitTerms, 'short_id'>): string => `l${short_id}`

/** Names the window; another period or currency is another window. */
export function windowName(limit: LimitTerms, now: Date, time_zone: string): string {
  if (limit.period === null) return ''
  return `${limit.period} ${limit.currency} ${windowOf(limit.period, now, time_zone).key}`
}

/** The count of this window. */
export function countIn(stored: StoredCount | undefined, window: string): Count {
  if (!isOfWindow(stored, window)) return NOTHING
  const at = stored.indexOf(' ')
  const number = stored.slice(at + 1, stored.length - window.length - 1)
  return { amount: BigInt(stored.slice(0, at)), number: Number(number) }
}

export const isOfWindow = (
  stored: StoredCount | undefined,
  window: string,
): stored is StoredCount =>
  stored?.endsWith(window) === true && stored.at(-1 - window.length) === ' '

export const storedCount = ({ amount, number }: Count, window: string): StoredCount =>
  `${amount} ${number} ${window}`

/** The rest that a limit leaves after these counts, null for any: minor units, and transactions. */
export function leftOf(
  { type, max_amount, frequency }: LimitTerms,
  counts: readonly Count[],
): { amount: bigint | null; number: number | null } {
  const most = counts.reduce(
    (sum, { amount, number }) => ({
      amount: amount > sum.amount ? amount : sum.amount,
      number: Math.max(number, sum.number),
    }),
    NOTHING,
  )
  const used = type === 'CUMULATIVE' ? most.amount : 0n
  const left = max_amount === null ? null : max_amount - used
  return {
    amount: left !== null && left < 0n ? 0n : left,
    number: frequency === null ? null : Math.max(frequency - most.number, 0),
  }
}
