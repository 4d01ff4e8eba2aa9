/**
 * Public functions of lists and limits in SHADOW: the declines that they would have made (D-481).
 */

import { statusDescription } from '#iso8583/codes.ts'
import { findLimit } from '#issuing/limits/limits.ts'
import { findList } from '#issuing/lists/lists.ts'
import type { ControlMode } from '#issuing/lists/schema.ts'
import { readSettings } from '#issuing/tenants/tenants.ts'
import type { Context, Tx } from '#kit/context.ts'
import { Write } from '#kit/db/write.ts'
import { invalid } from '#kit/http/answers/problems.ts'
import { formatAmount } from '#lib/money.ts'
import { addDays, formatDate, withinCalendar } from '#lib/time.ts'
import { windowOf } from '#lib/window.ts'
import { type ControlKind, EXAMPLES_MAX, type ShadowDecision, shadowCounts } from './rules.ts'
import { DAYS_DEFAULT, DAYS_MAX, type ShadowQuery } from './schema.ts'
import { type DaySum, insertShadowCounts, listDaySums, listExamples } from './store.ts'

/** Counts what a batch found: one statement, and none if it found nothing. */
export function writeShadows(
  tx: Tx,
  decisions: readonly ShadowDecision[],
  time_zone: string,
): Write {
  if (decisions.length === 0) return Write.of(tx.db)
  const { key: day } = windowOf('DAILY', tx.now, time_zone)
  return insertShadowCounts(tx, shadowCounts(decisions), day)
}

/**
 * The declines that a list or limit would have made while it was in SHADOW, by days of the tenant.
 * Fails with `not_found`, and with 400 for days in the wrong order or more of them than a report
 * has.
 */
export async function shadowReport(
  ctx: Context,
  kind: ControlKind,
  id: string,
  query: ShadowQuery,
) {
  const [control, { time_zone }] = await Promise.all([
    findControl(ctx, kind, id),
    readSettings(ctx),
  ])
  const days = daysOf(query, windowOf('DAILY', ctx.now, time_zone).key)
  const period = { kind, id: control.id, ...days }
  const [sums, examples] = await Promise.all([
    listDaySums(ctx, period),
    listExamples(ctx, period, EXAMPLES_MAX),
  ])
  return {
    id: control.id,
    mode: control.mode,
    ...days,
    codes: totals(sums).map(presented),
    days: sums.map((sum) => ({ day: sum.day, ...presented(sum) })),
    examples,
  }
}

const findControl = (
  ctx: Context,
  kind: ControlKind,
  id: string,
): Promise<{ id: string; mode: ControlMode }> =>
  kind === 'BALANCE' || kind === 'VELOCITY' ? findLimit(ctx, kind, id) : findList(ctx, kind, id)

function daysOf({ from, to }: ShadowQuery, today: string): { from: string; to: string } {
  const last = new Date((to ?? today).slice(0, 10))
  const first =
    from === undefined
      ? withinCalendar(addDays(last, 1 - DAYS_DEFAULT))
      : new Date(from.slice(0, 10))
  if (first > last) throw invalid('to', 'must not be before from')
  if (addDays(first, DAYS_MAX) <= last) throw invalid('to', `must be within ${DAYS_MAX} days`)
  return { from: formatDate(first), to: formatDate(last) }
}

type Sum = Omit<DaySum, 'day'>

/** Over all days, by code and currency. */
function totals(sums: readonly DaySum[]): Sum[] {
  const all = new Map<string, Sum>()
  for (const { day: _day, ...sum } of sums) {
    const name = `${sum.status_code}|${sum.currency}`
    const before = all.get(name)
    const add = (one: string, other = '0') => String(BigInt(one) + BigInt(other))
    all.set(name, {
      ...sum,
      number: sum.number + (before?.number ?? 0n),
      amount: add(sum.amount, before?.amount),
      declined_number: sum.declined_number + (before?.declined_number ?? 0n),
      declined_amount: add(sum.declined_amount, before?.declined_amount),
    })
  }
  return [...all.values()].sort((one, other) => (one.status_code < other.status_code ? -1 : 1))
}

const presented = ({ currency, ...sum }: Sum) => ({
  status_code: sum.status_code,
  currency,
  status_description: statusDescription(sum.status_code) ?? 'Unknown status',
  number: Number(sum.number),
  declined_number: Number(sum.declined_number),
  amount: formatAmount(BigInt(sum.amount), currency),
  declined_amount: formatAmount(BigInt(sum.declined_amount), currency),
})
