/** Backtests without a database: stored transactions replayed in portions. */

import {
  noSums,
  type Open,
  type Plan,
  Replay,
  replayPortion,
  type Sums,
  withProposed,
} from '#issuing/backtests/rules.ts'
import type { StoredCounters } from '#issuing/limits/rules.ts'
import { mergeSettings } from '#issuing/tenants/tenants.ts'
import type { TransactionRow } from '#issuing/transactions/rules.ts'
import { heldOf, type TestCard } from './desk.ts'

const DAY = 86_400_000

/** A proposal for a card, about the days around `now`. */
export const planOf = (now: Date, fields: Partial<Plan>): Plan => ({
  from: new Date(now.getTime() - DAY),
  to: new Date(now.getTime() + 90 * DAY),
  counts_from: new Date(now.getTime() - DAY),
  settings: mergeSettings({}),
  owner: 'cards',
  auth_settings: null,
  lists: {},
  balance: [],
  velocity: [],
  ...fields,
})

/** Backtests in portions of `size`; between two of them everything is as JSON would leave it. */
export function backtest(
  rows: readonly TransactionRow[],
  cards: ReadonlyMap<string, TestCard>,
  plan: Plan,
  size = rows.length,
): Sums {
  const sums = noSums()
  const counts = new Map<string, StoredCounters>()
  const open = new Map<string, Open>()
  const known = new Map(rows.map((row) => [row.id, row]))
  const proposed = new Map(
    [...cards].map(([id, card]) => {
      const lists = { ...card.lists, card: withProposed(card.lists.card, plan.lists) }
      return [id, { ...heldOf({ ...card, lists }), chain_id: id }]
    }),
  )
  for (let at = 0; at <= rows.length; at += Math.max(size, 1)) {
    const portion = rows.slice(at, at + size)
    const isLast = portion.length < size || at + size >= rows.length
    const horizon = isLast ? plan.to : (portion.at(-1)?.created ?? plan.to)
    const due = [...open.values()]
      .filter((one) => one.due <= horizon)
      .sort((one, other) => one.due.getTime() - other.due.getTime())
    const replay = new Replay(plan, proposed, counts, sums)
    for (const [id, next] of replayPortion(replay, portion, due, known, horizon)) {
      if (next) open.set(id, { ...next, state: JSON.parse(JSON.stringify(next.state)) })
      else open.delete(id)
    }
    for (const { holder_id, counters } of replay.changed) counts.set(holder_id, counters)
    if (isLast) break
  }
  return sums
}
