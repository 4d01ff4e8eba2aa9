/**
 * The declines that a list or a limit in SHADOW would have made, as they are counted (D-480,
 * D-481). Pure.
 */

import type { ListKind } from '#issuing/lists/schema.ts'

export type ControlKind = ListKind | 'BALANCE' | 'VELOCITY'

/** A list or a limit in SHADOW that would have declined a message, and with which code. */
export type ShadowFinding = { kind: ControlKind; id: string; code: string; detail: string }

/** A finding about one message that was decided. */
export type ShadowDecision = Omit<ShadowFinding, 'detail'> & {
  transaction_id: string
  /** Whether the message was approved, at least in part. */
  approved: boolean
  /** The requested amount, minor units of `currency`. */
  amount: bigint
  currency: string
}

/** The members that decisions of a batch have in common, with their number, sum and newest. */
export type ShadowCount = Omit<ShadowDecision, 'transaction_id'> & {
  number: number
  transaction_ids: readonly string[]
}

/** The newest transactions that a count and a report name. */
export const EXAMPLES_MAX = 20

/** One for each list or limit, code, currency and outcome. */
export function shadowCounts(decisions: readonly ShadowDecision[]): ShadowCount[] {
  const counts = new Map<string, ShadowCount>()
  for (const { transaction_id, ...of } of decisions) {
    const name = [of.kind, of.id, of.code, of.currency, of.approved].join('|')
    const before = counts.get(name)
    const ids = [...(before?.transaction_ids ?? []), transaction_id]
    counts.set(name, {
      ...of,
      number: (before?.number ?? 0) + 1,
      amount: (before?.amount ?? 0n) + of.amount,
      transaction_ids: ids.slice(-EXAMPLES_MAX),
    })
  }
  return [...counts.values()]
}

/** The first finding of each list or limit: one that is named twice would decline once. */
export function firstOfEach(findings: readonly ShadowFinding[]): ShadowFinding[] {
  const first = new Map<string, ShadowFinding>()
  for (const finding of findings) {
    const name = `${finding.kind}|${finding.id}`
    if (!first.has(name)) first.set(name, finding)
  }
  return [...first.values()]
}
