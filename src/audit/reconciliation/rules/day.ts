/** The day of a reconciliation (D-716). Pure. */

import { addDays } from '#lib/time.ts'
import { instantOfDay } from '#lib/window.ts'

/** A day of UTC, from its first instant up to that of the next. */
export type Day = { from: Date; to: Date }

/** The day of a date YYYY-MM-DD. */
export function dayOf(date: string): Day {
  const from = instantOfDay(date, 'UTC')
  return { from, to: addDays(from, 1) }
}

export const isWithin = ({ from, to }: Day, at: Date): boolean => at >= from && at < to
