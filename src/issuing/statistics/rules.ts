/**
 * The definition of a counted authorization, and the sum of counted quarters to hours (D-610).
 * Pure.
 */

import { statusDescription } from '#iso8583/codes.ts'
import type { TransactionType } from '#issuing/transactions/schema.ts'
import { formatAmount } from '#lib/money.ts'
import { type Fault, fail, ok, type Result } from '#lib/result.ts'
import { CALENDAR } from '#lib/time.ts'
import type { AuthorizationStatistics, StatisticsQuery } from './schema.ts'
import { HOURS_DEFAULT, HOURS_MAX } from './schema.ts'

/** Counted as one. Zones of the world differ from UTC by whole quarters. */
export const QUARTER_MS = 15 * 60_000
const HOUR_MS = 4 * QUARTER_MS

/** Decisions of a quarter may be committed until so long after its end; then it is closed. */
export const CLOSED_AFTER_MS = 5 * 60_000

/**
 * The first messages that are counted: requests and advices of an authorization. A presentment
 * without an authorization is not counted.
 */
export const COUNTED_MESSAGES = ['0100', '0120', '0200']

/** Money that comes to the cardholder is no authorization of a payment. */
export const CREDITS: readonly TransactionType[] = [
  'REFUND',
  'DEPOSIT',
  'LOAD',
  'ORIGINAL_CREDIT',
  'PAYMENT',
]

/** The counts of one quarter; amounts in minor units by currency, numbers by status code. */
export type Counts = {
  approved: number
  declined: number
  amounts: Readonly<Record<string, bigint>>
  codes: Readonly<Record<string, number>>
}

/** Counted decisions of one outcome: with their currency if approved, else with their code. */
export type CountedGroup = {
  quarter: Date
  approved: boolean
  name: string
  number: number
  amount: bigint
}

export const NO_COUNTS: Counts = { approved: 0, declined: 0, amounts: {}, codes: {} }

/** Whole hours, the end left out; instants in milliseconds. */
export type Hours = { from: number; to: number }

/** The hours that a query asks for, as far as they are in the years 0001 to 9999. */
export function hoursOf(
  { from, to }: StatisticsQuery,
  now: Date,
): Result<Hours, 'validation_failed'> {
  const end =
    to === undefined
      ? floor(now.getTime(), HOUR_MS) + HOUR_MS
      : Math.min(ceil(timeOf(to), HOUR_MS), floor(CALENDAR.end.getTime(), HOUR_MS))
  const start =
    from === undefined
      ? Math.max(end - HOURS_DEFAULT * HOUR_MS, CALENDAR.start.getTime())
      : floor(timeOf(from), HOUR_MS)
  if (start >= end) return unsound('must be after from')
  if (end - start > HOURS_MAX * HOUR_MS) return unsound(`must be within ${HOURS_MAX} hours`)
  return ok({ from: start, to: end })
}

// The validator leaves the text of an instant.
const timeOf = (instant: Date): number => new Date(instant).getTime()
const floor = (time: number, step: number): number => Math.floor(time / step) * step
const ceil = (time: number, step: number): number => Math.ceil(time / step) * step

const unsound = (message: string) => {
  const errors: Fault[] = [{ path: 'to', message }]
  return fail('validation_failed', { errors })
}

/** The quarters of the hours that have begun, the newest first. */
export function quartersOf({ from, to }: Hours, now: Date): number[] {
  const quarters: number[] = []
  const last = Math.min(to, floor(now.getTime(), QUARTER_MS) + QUARTER_MS)
  for (let at = last - QUARTER_MS; at >= from; at -= QUARTER_MS) quarters.push(at)
  return quarters
}

/** Whether no decision of the quarter can be committed any more. */
export const isClosed = (quarter: number, now: Date): boolean =>
  quarter + QUARTER_MS + CLOSED_AFTER_MS <= now.getTime()

/** The first quarters, at most `most`, which follow each other without a gap. */
export function portionOf(newest_first: readonly number[], most: number): readonly number[] {
  const gap = newest_first.findIndex((quarter, at) => {
    const before = newest_first[at - 1]
    return before !== undefined && before - quarter !== QUARTER_MS
  })
  return newest_first.slice(0, gap < 0 ? most : Math.min(gap, most))
}

/** The counts of each of these quarters, from the groups that were found. */
export function countsOf(
  quarters: readonly number[],
  groups: readonly CountedGroup[],
): Map<number, Counts> {
  const counts = new Map(quarters.map((quarter): [number, Counts] => [quarter, NO_COUNTS]))
  for (const { quarter, approved, name, number, amount } of groups) {
    const before = counts.get(quarter.getTime())
    if (!before) continue
    const added = approved
      ? { ...NO_COUNTS, approved: number, amounts: amount > 0n ? { [name]: amount } : {} }
      : { ...NO_COUNTS, declined: number, codes: { [name]: number } }
    counts.set(quarter.getTime(), sumOf([before, added]))
  }
  return counts
}

function sumOf(parts: readonly Counts[]): Counts {
  const amounts: Record<string, bigint> = {}
  const codes: Record<string, number> = {}
  let [approved, declined] = [0, 0]
  for (const part of parts) {
    approved += part.approved
    declined += part.declined
    for (const [name, amount] of Object.entries(part.amounts)) {
      amounts[name] = (amounts[name] ?? 0n) + amount
    }
    for (const [name, number] of Object.entries(part.codes)) {
      codes[name] = (codes[name] ?? 0) + number
    }
  }
  return { approved, declined, amounts, codes }
}

/** The hours whose quarters, as far as they have begun, are all counted. */
export function presented(
  { from, to }: Hours,
  now: Date,
  counts: ReadonlyMap<number, Counts>,
): AuthorizationStatistics {
  const hours: AuthorizationStatistics['hours'] = []
  let isPartial = false
  for (let hour = from; hour < to && hour <= now.getTime(); hour += HOUR_MS) {
    const quarters = quartersOf({ from: hour, to: hour + HOUR_MS }, now)
    const parts = quarters.flatMap((quarter) => counts.get(quarter) ?? [])
    if (parts.length < quarters.length) isPartial = true
    else hours.push(hourOf(new Date(hour), sumOf(parts)))
  }
  const state = isPartial ? 'PARTIAL' : 'COMPLETE'
  return { now, from: new Date(from), to: new Date(to), state, hours }
}

const hourOf = (hour: Date, { approved, declined, amounts, codes }: Counts) => ({
  hour,
  approved,
  declined,
  amounts: Object.entries(amounts)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, minor]) => ({ currency, approved_amount: formatAmount(minor, currency) })),
  declines: Object.entries(codes)
    .toSorted(([one, few], [other, many]) => many - few || (one < other ? -1 : 1))
    .map(([status_code, number]) => ({
      status_code,
      status_description: statusDescription(status_code) ?? '',
      number,
    })),
})
