/** The stored results of a backtest so far (D-483). Pure. */

/** Transactions of each group that are named. */
export const EXAMPLES_MAX = 10

export const reasons = ['CHECK_NOT_MADE', 'FUNDS_NOT_STORED'] as const
export type Reason = (typeof reasons)[number]

export type Group = {
  status_code?: string
  former_status_code?: string
  currency: string
  number: number
  /** Minor units of the currency, as text. */
  amount: string
  /** Ids of the newest transactions, the oldest of them first. */
  examples: readonly string[]
}

export const turns = ['would_decline', 'would_approve', 'would_decline_otherwise'] as const
export type Turn = (typeof turns)[number]

export type Sums = Record<Turn, Group[]> & {
  evaluated: number
  unchanged: number
  not_evaluated: { reason: Reason; number: number }[]
}

export const noSums = (): Sums => ({
  evaluated: 0,
  unchanged: 0,
  would_decline: [],
  would_approve: [],
  would_decline_otherwise: [],
  not_evaluated: [],
})

/** One decision that would turn; `amount` in minor units of the currency. */
export type Turned = {
  transaction_id: string
  status_code?: string
  former_status_code?: string
  currency: string
  amount: bigint
}

export function addTurned(sums: Sums, turn: Turn, turned: Turned): void {
  const { transaction_id, amount, ...of } = turned
  const group = sums[turn].find(
    (one) =>
      one.status_code === of.status_code &&
      one.former_status_code === of.former_status_code &&
      one.currency === of.currency,
  )
  const found = group ?? { ...of, number: 0, amount: '0', examples: [] }
  if (!group) sums[turn].push(found)
  found.number += 1
  found.amount = String(BigInt(found.amount) + amount)
  found.examples = [...found.examples, transaction_id].slice(-EXAMPLES_MAX)
}

export function addUnknown(sums: Sums, reason: Reason): void {
  const found = sums.not_evaluated.find((one) => one.reason === reason)
  if (found) found.number += 1
  else sums.not_evaluated.push({ reason, number: 1 })
}
