/** Compares the chargebacks that a shop has of a payment with the disputes of its issuer (D-1371). */

import { portionOf } from '#lib/money.ts'
import { formatDate } from '#lib/time.ts'
import { type Day, isWithin } from './day.ts'
import type { Difference, IssuerTransaction, Payment, Side } from './model.ts'
import { amountText } from './words.ts'

/** An entry of the shop's account; amounts in minor units. */
export type ChargedEntry = {
  type: 'CHARGEBACK' | 'CHARGEBACK_REVERSAL'
  amount: bigint
  fee: bigint
  booked: Date
  /** The day of the payout that has it; null while none does. */
  paid_day: string | null
  /** Whether a payout of its day or of a later one was made without it. */
  passed_over: boolean
}

export type Chargeback = {
  id: string
  /** The dispute, where the scheme is one that names it. */
  dispute_id: string | null
  status: 'NEEDS_RESPONSE' | 'UNDER_REVIEW' | 'WON' | 'LOST' | 'ACCEPTED' | 'WITHDRAWN'
  /** Minor units; `kept` is not given back of one that is WON. */
  amount: bigint
  kept: bigint
  fee: bigint
  currency: string
  entries: readonly ChargedEntry[]
  created: Date
  modified: Date
}

/** A dispute that was charged back at least once. */
export type ChargedDispute = {
  id: string
  tenant_id: string
  transaction_id: string
  status: string
  outcome: 'WON' | 'LOST' | null
  /** Minor units of the currency of the account; `recovered` is what the network has given back. */
  amount: bigint
  recovered: bigint
  currency: string
  moves: readonly { step: string; created: string }[]
}

export type Disputed = {
  payment: Payment
  merchant_id: string | undefined
  chargebacks: readonly Chargeback[]
  /** Undefined where the book of the issuer is not here. */
  issuer:
    | { transactions: readonly IssuerTransaction[]; disputes: readonly ChargedDispute[] }
    | undefined
}

type Found = Pick<Difference, 'kind' | 'sides' | 'detail'> & { touched: readonly Date[] }

/** The differences of a payment that the day has touched. */
export function compareDisputed(disputed: Disputed, day: Day): Difference[] {
  const { payment, merchant_id, chargebacks, issuer } = disputed
  const { tenant_id, order, rrn } = payment
  const found = [
    ...chargebacks.flatMap((one) => payoutFaults(tenant_id, one)),
    ...(issuer
      ? pairsOf(chargebacks, issuer.disputes).flatMap((pair) => judged(pair, disputed))
      : []),
  ]
  return found
    .filter(({ touched }) => touched.some((at) => isWithin(day, at)))
    .map(({ touched: _, ...one }) => ({
      ...one,
      entry: 'CHARGEBACK',
      tenant_id,
      merchant_id,
      rrn,
      order_id: order?.id,
      order_reference: order?.reference,
    }))
}

/** One chargeback: as the shop has it, and the time at which the issuer made it of a dispute. */
type Pair = {
  shop?: Chargeback
  dispute?: ChargedDispute
  at?: Date
  /** The dispute was charged back again later: this one was returned. */
  returned: boolean
}

/** A dispute that was returned and submitted again has several, each with its own at the shop. */
function pairsOf(chargebacks: readonly Chargeback[], disputes: readonly ChargedDispute[]): Pair[] {
  const made = disputes.flatMap((dispute) => {
    const times = dispute.moves
      .filter(({ step }) => step === 'CHARGEBACK')
      .map(({ created }) => new Date(created))
    return times.map((at, index): Pair => ({ dispute, at, returned: index < times.length - 1 }))
  })
  const free = new Set(chargebacks)
  const give = (fits: (shop: Chargeback, pair: Pair) => boolean) => {
    for (const pair of made) {
      if (pair.shop) continue
      const shop = [...free].find((one) => fits(one, pair))
      if (!shop) continue
      pair.shop = shop
      free.delete(shop)
    }
  }
  const isFree = ({ dispute_id }: Chargeback) => dispute_id === null
  give(({ dispute_id }, { dispute }) => dispute_id === dispute?.id)
  give((shop, { dispute }) => isFree(shop) && shop.amount === dispute?.amount)
  give(isFree)
  return [...made, ...[...free].map((shop) => ({ shop, returned: false }))]
}

function judged({ shop, dispute, at, returned }: Pair, { payment, issuer }: Disputed): Found[] {
  const { tenant_id } = payment
  const sides = {
    ...(shop && { ORDERS: shopSide(tenant_id, shop) }),
    ...(dispute && at && { ISSUER: disputeSide(dispute, at) }),
  }
  const touched = [
    ...(shop ? [shop.created, shop.modified] : []),
    ...(dispute?.moves ?? []).map(({ created }) => new Date(created)),
  ]
  const add = (kind: Found['kind'], detail: string): Found[] => [{ kind, sides, touched, detail }]
  if (!dispute || !at) {
    const what = shop ? ` of ${amountText(shop)}` : ''
    const whole = `The shop has a chargeback${what}`
    const detail = `${whole}, and the issuer has not charged the payment back.`
    return add('missing_dispute', detail)
  }
  if (!shop) {
    const what = `The issuer has charged ${amountText(dispute)} back`
    const detail = `${what}, and the shop has no chargeback.`
    return add('missing_chargeback', detail)
  }
  const wanted = amountAt(shop, dispute, issuer?.transactions ?? [])
  if (wanted !== shop.amount) {
    const theirs = `${amountText({ amount: wanted, currency: shop.currency })} at the issuer`
    return add('other_amount', `The chargeback is ${amountText(shop)} at the shop, and ${theirs}.`)
  }
  if (!belongs(shop, dispute, returned)) {
    const theirs = `${dispute.status}${dispute.outcome === null ? '' : ` as ${dispute.outcome}`}`
    const detail = `The chargeback is ${shop.status} at the shop, and its dispute is ${theirs}.`
    return add('other_status', detail)
  }
  const [ours, theirs] = [shop.amount - shop.kept, dispute.amount - dispute.recovered]
  if (shop.status === 'WON' && shop.currency === dispute.currency && ours !== theirs) {
    const given = `${amountText({ ...shop, amount: ours })} of the chargeback`
    const kept = `the issuer has returned ${amountText({ ...dispute, amount: theirs })}`
    return add('other_amount', `The shop was given back ${given}, and ${kept}.`)
  }
  return []
}

const shopSide = (tenant_id: string, { id, amount, currency, created: at }: Chargeback): Side => ({
  ...{ id, amount, currency, at, tenant_id },
})
const disputeSide = ({ id, amount, currency, tenant_id }: ChargedDispute, at: Date): Side => ({
  ...{ id, amount, currency, at, tenant_id },
})

/** The amount of the dispute in the currency of the order: the same part of what was cleared. */
function amountAt(
  { currency }: Chargeback,
  dispute: ChargedDispute,
  transactions: readonly IssuerTransaction[],
): bigint {
  const of = transactions.find(({ id }) => id === dispute.transaction_id)
  if (dispute.currency === currency || !of) return dispute.amount
  const own = of.postings.reduce((sum, { amount }) => sum + amount, 0n)
  return portionOf(own, of.cleared_amount, dispute.amount)
}

/** The states of the shop, and of the issuer those that belong to each. */
const together: Readonly<Record<Chargeback['status'], readonly string[]>> = {
  NEEDS_RESPONSE: ['CHARGED_BACK'],
  UNDER_REVIEW: ['REPRESENTED', 'PRE_ARBITRATION'],
  WON: ['as LOST'],
  LOST: ['as WON'],
  ACCEPTED: ['as WON'],
  WITHDRAWN: ['WITHDRAWN', 'DRAFT', 'SUBMITTED', 'EXPIRED'],
}
/** One side is ahead where nothing carries a step to the other. */
const ahead: Readonly<Partial<Record<Chargeback['status'], readonly string[]>>> = {
  NEEDS_RESPONSE: ['REPRESENTED', 'PRE_ARBITRATION'],
  UNDER_REVIEW: ['CHARGED_BACK'],
  LOST: ['CHARGED_BACK'],
  ACCEPTED: ['CHARGED_BACK'],
}

function belongs(
  shop: Chargeback,
  { status, outcome }: ChargedDispute,
  returned: boolean,
): boolean {
  if (returned) return shop.status === 'WITHDRAWN'
  const there = outcome === null ? status : `as ${outcome}`
  const fits = together[shop.status].includes(there)
  return fits || (shop.dispute_id === null && (ahead[shop.status]?.includes(there) ?? false))
}

/** The entries that a chargeback has made in the account of its shop, and their payouts. */
function payoutFaults(tenant_id: string, shop: Chargeback): Found[] {
  const { amount, kept, fee, currency, status, entries } = shop
  const isGiven = status === 'WON' || status === 'WITHDRAWN'
  const wanted = [
    { type: 'CHARGEBACK', amount, fee },
    ...(isGiven && amount > kept
      ? [{ type: 'CHARGEBACK_REVERSAL', amount: amount - kept, fee: 0n }]
      : []),
  ] as const
  const sides = { ORDERS: shopSide(tenant_id, shop) }
  const touched = [shop.created, shop.modified, ...entries.map(({ booked }) => booked)]
  return wanted.flatMap(({ type, ...of }): Found[] => {
    const noun = type === 'CHARGEBACK' ? 'chargeback' : 'return of the chargeback'
    const what = `The ${noun} of ${amountText({ amount: of.amount, currency })}`
    const fault = faultOf(
      entries.find((one) => one.type === type),
      of,
      currency,
    )
    return fault === undefined
      ? []
      : [{ kind: 'payout_differs', sides, touched, detail: `${what} ${fault}.` }]
  })
}

function faultOf(
  entry: ChargedEntry | undefined,
  { amount, fee }: { amount: bigint; fee: bigint },
  currency: string,
): string | undefined {
  if (!entry) return 'is in no payout and waits for none'
  const text = (minor: bigint) => amountText({ amount: minor, currency })
  if (entry.amount !== amount) return `is to be paid out with ${text(entry.amount)}`
  if (entry.fee !== fee) return `has the fee ${text(fee)}, and its payout ${text(entry.fee)}`
  const day = formatDate(entry.booked)
  if (entry.paid_day !== null && entry.paid_day !== day) {
    return `is of ${day}, and in the payout of ${entry.paid_day}`
  }
  return entry.passed_over ? `is of ${day}, whose payout was made without it` : undefined
}
