import { type Fault, fail, ok, type Result } from '#lib/result.ts'
import { addDuration, parseDuration, parseInstant } from '#lib/time.ts'
import type { ClockMove } from './schema.ts'

/** Dates that follow from the clock (expiries, windows) must stay within the calendar. */
const YEARS_AHEAD_MAX = 100

/**
 * The new time of the clock; `offset` are the milliseconds it is ahead of real time.
 */
export function checkMove(
  real: Date,
  offset: number,
  move: ClockMove,
): Result<Date, 'clock_backwards' | 'validation_failed'> {
  const present = new Date(real.getTime() + offset)
  const target = targetOf(present, move)
  if ('path' in target) return fail('validation_failed', { errors: [target] })
  if (target < present) {
    const detail = `The clock shows ${present.toISOString()} and only goes forward.`
    return fail('clock_backwards', { detail })
  }
  if (target > addDuration(real, { months: YEARS_AHEAD_MAX * 12, milliseconds: 0 })) {
    const path = move.now === undefined ? 'advance' : 'now'
    const message = `leads more than ${YEARS_AHEAD_MAX} years ahead of real time`
    return fail('validation_failed', { errors: [{ path, message }] })
  }
  return ok(target)
}

function targetOf(present: Date, { now, advance }: ClockMove): Date | Fault {
  if ((now === undefined) === (advance === undefined)) {
    return { path: 'now', message: 'send either now or advance' }
  }
  if (now !== undefined) return parseInstant(now) ?? { path: 'now', message: 'is not an instant' }
  const duration = parseDuration(advance ?? '')
  if (duration) return addDuration(present, duration)
  return { path: 'advance', message: 'is not a duration of ISO 8601, such as P5D or PT36H' }
}
