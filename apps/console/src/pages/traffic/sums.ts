/** Sums of a run. */

import type { Point } from '../../parts/chart/series.ts'
import { HOURS } from './plan.ts'
import type { Outcome, RunState } from './run.ts'

const isDeclined = ({ transaction }: Outcome): boolean => transaction.status === 'DECLINED'

export type Sums = {
  approved: number
  declined: number
  /** Major units. */
  approved_amount: number
  declined_amount: number
  /** Payments a second. */
  speed: number
}

export function sumsOf({ outcomes, ran_ms }: RunState): Sums {
  const declined = outcomes.filter(isDeclined)
  const amount = (some: readonly Outcome[]) =>
    some.reduce((total, { transaction }) => total + transaction.amount, 0)
  const declined_amount = amount(declined)
  return {
    approved: outcomes.length - declined.length,
    declined: declined.length,
    approved_amount: amount(outcomes) - declined_amount,
    declined_amount,
    speed: ran_ms > 0 ? (outcomes.length * 1000) / ran_ms : 0,
  }
}

export type DeclineCode = { code: string; description: string; count: number }

/** The commonest first. */
export function declinesOf(outcomes: readonly Outcome[]): DeclineCode[] {
  const counts = new Map<string, DeclineCode>()
  for (const { transaction } of outcomes.filter(isDeclined)) {
    const { status_code: code, status_description: description } = transaction
    counts.set(code, { code, description, count: (counts.get(code)?.count ?? 0) + 1 })
  }
  return [...counts.values()].sort((one, other) => other.count - one.count)
}

/** A point for each hour of the day, from the first. */
export function pointsOf(outcomes: readonly Outcome[], first_hour: number): Point[] {
  const points = Array.from({ length: HOURS }, () => ({ approved: 0, declined: 0 }))
  for (const outcome of outcomes) {
    const point = points[outcome.planned.hour]
    if (point) point[isDeclined(outcome) ? 'declined' : 'approved'] += 1
  }
  return points.map((point, hour) => {
    const at = `${String((first_hour + hour) % HOURS).padStart(2, '0')}:00`
    return { at, ...point }
  })
}
