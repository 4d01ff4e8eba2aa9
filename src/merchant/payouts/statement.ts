/** The statement of a merchant: its captures, refunds and fees, day by day (D-739). */

import type { Context } from '#kit/context.ts'
import { invalid } from '#kit/http/answers/problems.ts'
import { addDays, formatDate } from '#lib/time.ts'
import { instantOfDay } from '#lib/window.ts'
import { type BookedDay, listBookedDays } from '#merchant/orders/orders.ts'
import { amountText, presentNet } from './present.ts'
import type { Sums } from './rules.ts'
import type { Statement, StatementQuery } from './schema.ts'
import { listOwed } from './store.ts'

const NOTHING: Sums = { captures: 0, captured: 0n, refunds: 0, refunded: 0n, fees: 0n }
const DAYS_MAX = 366
const DAYS_BY_DEFAULT = 30
const DAY_MS = 24 * 60 * 60 * 1_000

/**
 * The statement of the calling merchant. Fails with `validation_failed` for a period that is none.
 */
export async function getStatement(ctx: Context, query: StatementQuery): Promise<Statement> {
  const { from, to, first, end } = periodOf(query, ctx.now)
  const merchant_id = ctx.actor.id
  const [days, owed] = await Promise.all([
    listBookedDays(ctx, merchant_id, { first, end }),
    listOwed(ctx, merchant_id),
  ])
  const due = new Map(owed.map(({ currency, amount }) => [currency, amount]))
  const currencies = new Set([...days, ...owed].map(({ currency }) => currency))
  const data = [...currencies].sort().map((currency) => {
    const own = days.filter((day) => day.currency === currency)
    return {
      currency,
      ...presentNet(own.reduce(added, NOTHING), currency),
      payout_due: amountText(due.get(currency) ?? 0n, currency),
      days: own.map((day) => ({ day: day.day, ...presentNet(day, currency) })),
    }
  })
  return { from, to, data }
}

const added = (sums: Sums, day: BookedDay): Sums => ({
  captures: sums.captures + day.captures,
  captured: sums.captured + day.captured,
  refunds: sums.refunds + day.refunds,
  refunded: sums.refunded + day.refunded,
  fees: sums.fees + day.fees,
})

/** `end` is the first instant after the last day. */
function periodOf({ from, to }: StatementQuery, now: Date) {
  const last = startOf(to ?? formatDate(now))
  const first = from === undefined ? addDays(last, 1 - DAYS_BY_DEFAULT) : startOf(from)
  if (first > last) throw invalid('to', 'must not be before from')
  const count = (last.getTime() - first.getTime()) / DAY_MS + 1
  if (count > DAYS_MAX) throw invalid('from', `must be at most ${DAYS_MAX} days before to`)
  return { from: formatDate(first), to: formatDate(last), first, end: addDays(last, 1) }
}

const startOf = (day: string): Date => instantOfDay(day, 'UTC')
