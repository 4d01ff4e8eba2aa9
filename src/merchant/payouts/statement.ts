/** The statement of a merchant: captures, refunds, disputes and fees, day by day (D-739). */

import type { Context } from '#kit/context.ts'
import { invalid } from '#kit/http/answers/problems.ts'
import { addDays, formatDate } from '#lib/time.ts'
import { instantOfDay } from '#lib/window.ts'
import { listChargedDays } from '#merchant/chargebacks/chargebacks.ts'
import { listBookedDays } from '#merchant/orders/orders.ts'
import { amountText, presentNet } from './present.ts'
import type { Sums } from './rules.ts'
import type { Statement, StatementQuery } from './schema.ts'
import { listOwed } from './store.ts'

const NOTHING: Sums = {
  ...{ captures: 0, captured: 0n, refunds: 0, refunded: 0n },
  ...{ chargebacks: 0, charged_back: 0n, fees: 0n },
}
const DAYS_MAX = 366
const DAYS_BY_DEFAULT = 30
const DAY_MS = 24 * 60 * 60 * 1_000

/**
 * The statement of the calling merchant. Fails with `validation_failed` for a period that is none.
 */
export async function getStatement(ctx: Context, query: StatementQuery): Promise<Statement> {
  const { from, to, first, end } = periodOf(query, ctx.now)
  const merchant_id = ctx.actor.id
  const [booked, charged, owed] = await Promise.all([
    listBookedDays(ctx, merchant_id, { first, end }),
    listChargedDays(ctx, merchant_id, { first, end }),
    listOwed(ctx, merchant_id),
  ])
  const days = daysOf([...booked, ...charged])
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

type Day = Sums & { currency: string; day: string }

/** One day of a currency for all that was booked on it, in the order of days. */
function daysOf(parts: readonly (Partial<Sums> & Pick<Day, 'currency' | 'day'>)[]): Day[] {
  const byDay = Map.groupBy(parts, ({ currency, day }) => `${day} ${currency}`)
  return [...byDay]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, [first, ...rest]]) => {
      if (!first) return []
      const { currency, day } = first
      const sums = [first, ...rest].reduce<Sums>(
        (sum, part) => added(sum, { ...NOTHING, ...part }),
        NOTHING,
      )
      return [{ ...sums, currency, day }]
    })
}

const added = (sums: Sums, day: Sums): Sums => ({
  captures: sums.captures + day.captures,
  captured: sums.captured + day.captured,
  refunds: sums.refunds + day.refunds,
  refunded: sums.refunded + day.refunded,
  chargebacks: sums.chargebacks + day.chargebacks,
  charged_back: sums.charged_back + day.charged_back,
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
