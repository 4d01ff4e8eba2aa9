/** Public functions of statistics: authorizations by hour (D-610). */

import type { Context } from '#kit/context.ts'
import { unwrap } from '#lib/result.ts'
import {
  type Counts,
  countsOf,
  hoursOf,
  isClosed,
  portionOf,
  presented,
  QUARTER_MS,
  quartersOf,
} from './rules.ts'
import type { AuthorizationStatistics, StatisticsQuery } from './schema.ts'
import { findClockLead, insertCounts, listCountedGroups, listCounts } from './store.ts'

/** A call begins no further portion after so long; the next call goes on. */
const COUNTING_MS = 1500
/** Quarters that are counted at once: few at first, more if there is little to count. */
const PORTION_FIRST = 4
const PORTION_GROWTH = 8
const PORTION_FAST_MS = 100

/**
 * Authorizations of the tenant by hour. Quarters of an hour that have ended are counted once and
 * stored; those that have not, and all of a tenant whose clock was moved, are counted anew.
 */
export async function authorizationStatistics(
  ctx: Context,
  query: StatisticsQuery,
): Promise<AuthorizationStatistics> {
  const hours = unwrap(hoursOf(query, ctx.now))
  const [stored, lead] = await ctx.db.runSession((db) =>
    Promise.all([listCounts({ ...ctx, db }, hours), findClockLead({ ...ctx, db })]),
  )
  const counts = new Map(stored)
  const missing = quartersOf(hours, ctx.now).filter((quarter) => !counts.has(quarter))
  const counted = await countPortions(ctx, missing, lead)
  if (lead === 0) {
    await insertCounts(
      ctx,
      [...counted].filter(([quarter]) => isClosed(quarter, ctx.now)),
    )
  }
  for (const [quarter, each] of counted) counts.set(quarter, each)
  return presented(hours, ctx.now, counts)
}

/** Counts the newest of these quarters, as far as the time of a call suffices. */
async function countPortions(
  ctx: Context,
  newest_first: readonly number[],
  lead: number,
): Promise<Map<number, Counts>> {
  const counted = new Map<number, Counts>()
  const started = performance.now()
  // With a clock that was moved every portion would read the same ids.
  let size = lead > 0 ? newest_first.length : PORTION_FIRST
  let rest = newest_first
  while (rest.length > 0 && performance.now() - started < COUNTING_MS) {
    const portion = portionOf(rest, size)
    const before = performance.now()
    for (const [quarter, counts] of await countQuarters(ctx, portion, lead)) {
      counted.set(quarter, counts)
    }
    if (performance.now() - before < PORTION_FAST_MS) size *= PORTION_GROWTH
    rest = rest.slice(portion.length)
  }
  return counted
}

async function countQuarters(ctx: Context, newest_first: readonly number[], lead: number) {
  const [last, first] = [newest_first[0], newest_first.at(-1)]
  if (last === undefined || first === undefined) return []
  const groups = await listCountedGroups(ctx, { from: first, to: last + QUARTER_MS }, lead)
  return countsOf(newest_first, groups)
}
