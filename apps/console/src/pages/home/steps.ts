/** The points of the charts of Home: hours of one day, days of more. */

import i18next from 'i18next'
import { hourText, localeOf } from '../../parts/values.tsx'
import { amountsOf, type Hour, sumOf } from './figures.ts'
import type { Period } from './period.ts'

const DAY_HOURS = 24

/** One hour each of a single day, else 24 of them: the first begins as long ago as the period. */
function stepsOf(hours: readonly Hour[], period: Period): (readonly Hour[])[] {
  const size = period === 'today' ? 1 : DAY_HOURS
  const count = Math.ceil(hours.length / size)
  return Array.from({ length: count }, (_, at) => hours.slice(at * size, (at + 1) * size))
}

function nameOf([first]: readonly Hour[], period: Period): string {
  if (first === undefined) return ''
  if (period === 'today') return hourText(first.hour)
  const day = { day: 'numeric', month: 'short' } as const
  return new Intl.DateTimeFormat(localeOf(i18next.language), day).format(new Date(first.hour))
}

type AmountsOf = {
  present: readonly Hour[]
  before: readonly Hour[]
  period: Period
  currency: string
}

export function amountPoints({ present, before, period, currency }: AmountsOf) {
  const earlier = stepsOf(before, period)
  const amount = (hours: readonly Hour[] = []) => new Map(amountsOf(hours)).get(currency) ?? 0
  return stepsOf(present, period).map((hours, at) => ({
    at: nameOf(hours, period),
    now: amount(hours),
    before: amount(earlier[at]),
  }))
}

export const countPoints = (hours: readonly Hour[], period: Period) =>
  stepsOf(hours, period).map((some) => {
    const { approved, declined } = sumOf(some)
    return { at: nameOf(some, period), approved, declined }
  })
