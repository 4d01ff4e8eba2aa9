/** The events of a portion in the order of time. Pure. */

import type { TransactionRow } from '#issuing/transactions/rules.ts'
import type { Open, Replay } from './replay.ts'

/** How each transaction of the portion is left: undefined if nothing more is to come of it. */
export type Left = ReadonlyMap<string, Open | undefined>

/**
 * Replays `rows`, which are in their order, and between them the events of these and of the `open`
 * ones up to `horizon`. An amount that was given back before a message counts for it.
 */
export function replayPortion(
  replay: Replay,
  rows: readonly TransactionRow[],
  open: readonly Open[],
  transactions: ReadonlyMap<string, TransactionRow>,
  horizon: Date,
): Left {
  const pending = [...open]
  const left = new Map<string, Open | undefined>()
  const put = ({ id }: TransactionRow, next: Open | undefined) => {
    left.set(id, next)
    if (!next || next.due > horizon) return
    const at = pending.findIndex(({ due }) => due > next.due)
    pending.splice(at < 0 ? pending.length : at, 0, next)
  }
  const advance = (until: Date) => {
    for (;;) {
      const [first] = pending
      if (!first || first.due > until) return
      pending.shift()
      const row = transactions.get(first.transaction_id)
      if (row) put(row, replay.continue(row, first))
      else left.set(first.transaction_id, undefined)
    }
  }
  for (const row of rows) {
    advance(row.created)
    put(row, replay.begin(row))
  }
  advance(horizon)
  return left
}
