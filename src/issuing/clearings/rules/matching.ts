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

type Fits = (one: Candidate) => boolean

const isApproved =
  ({ facts: { approval_code } }: Presented): Fits =>
  ({ approval_codes }) =>
    approval_code !== undefined && approval_codes.includes(approval_code)

const isReferred =
  ({ facts: { rrn } }: Presented): Fits =>
  (one) =>
    rrn !== undefined && one.rrn === rrn

/** The trace id of the network; approval code and retrieval reference. */
const sureSteps = (record: Presented): Fits[] => {
  const { trace_id } = record.facts
  const [hasCode, hasReference] = [isApproved(record), isReferred(record)]
  return [
    (one) => trace_id !== undefined && one.trace_id === trace_id,
    // One that the trace id names comes before it.
    (one) => hasCode(one) && hasReference(one),
  ]
}

/** Approval code with the amount or the acceptor; the retrieval reference. */
const otherSteps = (record: Presented): Fits[] => {
  const { amount, currency, facts } = record
  const hasCode = isApproved(record)
  const fitsElse = (one: Candidate) =>
    (one.amount === amount && one.currency === currency) ||
    (facts.merchant.id !== undefined && one.merchant_id === facts.merchant.id)
  return [(one) => hasCode(one) && fitsElse(one), isReferred(record)]
}

/** The first that fits. Ids are in the order of time. */
export const matchOf = (
  record: Presented,
  candidates: readonly Candidate[],
): Candidate | undefined =>
  firstOf([...sureSteps(record), ...otherSteps(record)], record, candidates)

/**
 * The one that no other authorization of the card fits better than, among those with the retrieval
 * reference of the record.
 */
export function sureMatchOf(
  record: Presented,
  referred: readonly Candidate[],
): Candidate | undefined {
  const [traced, coded] = sureSteps(record)
  const steps = record.facts.trace_id === undefined ? [coded] : [traced]
  return firstOf(
    steps.flatMap((step) => step ?? []),
    record,
    referred,
  )
}

function firstOf(
  steps: readonly Fits[],
  { transaction_type }: Presented,
  candidates: readonly Candidate[],
): Candidate | undefined {
  const same = candidates.filter((one) => one.transaction_type === transaction_type)
  for (const fits of steps) {
    const [best] = same.filter(fits).toSorted(byState)
    if (best) return best
  }
  return undefined
}

const byState = (one: Candidate, other: Candidate): number =>
  ORDER.indexOf(one.status) - ORDER.indexOf(other.status) || (one.id < other.id ? 1 : -1)
