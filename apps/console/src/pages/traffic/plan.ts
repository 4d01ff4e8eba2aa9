/** Payments that a day of traffic sends, decided before it begins. */

import type { Card } from '../../api/types.ts'
import { type Mixed, mix, type PaymentKind, PROFILE } from './mix.ts'

export const HOURS = 24
/** A run ends by itself. */
export const MOST_PAYMENTS = 500
export const MOST_CARDS = 50

export type Planned = {
  mixed: Mixed
  /** The hour of the day, counted from its first. */
  hour: number
  card: Card
  /** Major units. */
  amount: number
  /** The shop's next step if it is approved. */
  follow: 'clear' | 'reverse' | 'none'
  isRefunded: boolean
}

export type Wanted = {
  count: number
  weights: Readonly<Record<PaymentKind, number>>
  cards: readonly Card[]
  /** Percent. */
  clear: number
  reverse: number
  refund: number
  currency: string
  /** The hour of the day at which it begins, 0 to 23. */
  first_hour: number
}

/** A number from 0 to 1, without 1. */
export type Chance = () => number

/** The payments in the order of the day. */
export function planDay(wanted: Wanted, chance: Chance): Planned[] {
  const { count, weights, cards, first_hour } = wanted
  const kinds = shared(
    count,
    mix.map(({ kind }) => weights[kind]),
  )
  const hours = shared(
    count,
    PROFILE.map((_, hour) => PROFILE[(first_hour + hour) % HOURS] ?? 0),
  )
  const payments = shuffled(
    mix.flatMap((mixed, at) => Array.from({ length: kinds[at] ?? 0 }, () => mixed)),
    chance,
  )
  const at = hours.flatMap((share, hour) => Array.from({ length: share }, () => hour))
  const follows = shuffled(followsOf(wanted), chance)
  return payments.flatMap((mixed, index) => {
    const card = cards[index % cards.length]
    if (card === undefined) return []
    const follow = follows[index] ?? 'none'
    const isRefunded = follow === 'clear' && chance() * 100 < wanted.refund
    const amount = amountOf(mixed, wanted.currency, chance)
    return [{ mixed, hour: at[index] ?? 0, card, amount, follow, isRefunded }]
  })
}

/** Shares of a whole number by weights, which add up to it: the largest remainders get the rest. */
export function shared(whole: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0)
  if (sum === 0) return weights.map(() => 0)
  const exact = weights.map((weight) => (whole * weight) / sum)
  const shares = exact.map(Math.floor)
  const rest = whole - shares.reduce((total, share) => total + share, 0)
  const neediest = exact
    .map((share, at) => [share - Math.floor(share), at] as const)
    .sort(([one], [other]) => other - one)
  for (const [, at] of neediest.slice(0, rest)) shares[at] = (shares[at] ?? 0) + 1
  return shares
}

function followsOf({ count, clear, reverse }: Wanted): Planned['follow'][] {
  const shares = shared(count, [clear, reverse, 100 - clear - reverse])
  const names = ['clear', 'reverse', 'none'] as const
  return names.flatMap((name, at) => Array.from({ length: shares[at] ?? 0 }, () => name))
}

function shuffled<Item>(items: readonly Item[], chance: Chance): Item[] {
  return items
    .map((item) => [chance(), item] as const)
    .sort(([one], [other]) => one - other)
    .map(([, item]) => item)
}

/** No more decimals than the currency has. */
function amountOf({ least, most }: Mixed, currency: string, chance: Chance): number {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  const { maximumFractionDigits: digits = 2 } = format.resolvedOptions()
  return Number((least + chance() * (most - least)).toFixed(Math.min(digits, 2)))
}
