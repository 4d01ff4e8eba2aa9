/** The authorization that a presentment of a clearing file claims. Pure. */

import type { Facts } from './facts.ts'

/** An authorization of the card. */
export type Candidate = {
  id: string
  card_id: string
  transaction_type: string
  status: string
  amount: bigint
  currency: string
  rrn: string | null
  /** Ours, and those of advices. */
  approval_codes: readonly string[]
  trace_id: string | null
  merchant_id: string | null
}

type Presented = { amount: bigint; currency: string; facts: Facts; transaction_type: string }

/** The choice among several that fit alike: one that is still held, then the newest. */
const ORDER = ['PENDING', 'EXPIRED', 'SETTLED', 'VOIDED', 'DECLINED']

/**
 * The first that fits: the trace id of the network; approval code and retrieval reference; approval
 * code with the amount or the acceptor; the retrieval reference. Ids are in the order of time.
 */
export function matchOf(
  { amount, currency, facts, transaction_type }: Presented,
  candidates: readonly Candidate[],
): Candidate | undefined {
  const { trace_id, approval_code, rrn, merchant } = facts
  const isApproved = ({ approval_codes }: Candidate) =>
    approval_code !== undefined && approval_codes.includes(approval_code)
  const isReferred = (one: Candidate) => rrn !== undefined && one.rrn === rrn
  const steps: ((one: Candidate) => boolean)[] = [
    (one) => trace_id !== undefined && one.trace_id === trace_id,
    (one) => isApproved(one) && isReferred(one),
    (one) =>
      isApproved(one) &&
      ((one.amount === amount && one.currency === currency) ||
        (merchant.id !== undefined && one.merchant_id === merchant.id)),
    isReferred,
  ]
  const same = candidates.filter((one) => one.transaction_type === transaction_type)
  for (const fits of steps) {
    const [best] = same.filter(fits).toSorted(byState)
    if (best) return best
  }
  return undefined
}

const byState = (one: Candidate, other: Candidate): number =>
  ORDER.indexOf(one.status) - ORDER.indexOf(other.status) || (one.id < other.id ? 1 : -1)
