/** Stored backtests as the API answers them. */

import { formatAmount } from '#lib/money.ts'
import type { Sums } from './rules.ts'
import type { BacktestRow } from './store.ts'

const members = {
  cardproducts: 'card_product_id',
  cards: 'card_id',
  accounts: 'account_id',
  users: 'user_id',
} as const

export function presentBacktest(row: BacktestRow) {
  const { owner, owner_id, read } = row
  return {
    id: row.id,
    status: row.status,
    from: row.starts,
    to: row.ends,
    counts_from: row.counts_from,
    ...(owner && owner_id !== null && { [members[owner]]: owner_id }),
    proposal: row.proposal,
    progress: { read: Number(read), percent: percentOf(row) },
    result: presentSums(row.result),
    ...(row.error !== null && { error: row.error }),
    created: row.created,
    modified: row.modified,
    expires: row.expires,
    ...(row.completed && { completed: row.completed }),
  }
}

function percentOf({ status, counts_from, ends, reached }: BacktestRow): number {
  if (status === 'COMPLETED') return 100
  const whole = ends.getTime() - counts_from.getTime()
  const done = reached.getTime() - counts_from.getTime()
  return Math.min(99, Math.floor((done * 100) / whole))
}

function presentSums({ would_decline, would_approve, would_decline_otherwise, ...sums }: Sums) {
  return {
    ...sums,
    would_decline: would_decline.map((group) => ({
      status_code: group.status_code ?? '',
      ...presentGroup(group),
    })),
    would_approve: would_approve.map((group) => ({
      former_status_code: group.former_status_code ?? '',
      ...presentGroup(group),
    })),
    would_decline_otherwise: would_decline_otherwise.map((group) => ({
      status_code: group.status_code ?? '',
      former_status_code: group.former_status_code ?? '',
      ...presentGroup(group),
    })),
  }
}

const presentGroup = ({ currency, number, amount, examples }: Sums['would_decline'][number]) => ({
  currency,
  number,
  amount: formatAmount(BigInt(amount), currency),
  examples: examples.toReversed(),
})
