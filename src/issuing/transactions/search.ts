/** The bounds of a search for transactions, so that it reads a bounded part of them (D-622). */

import { invalid } from '#kit/http/answers/problems.ts'
import { currencyCodes, exponentOf, isCurrency } from '#lib/currency.ts'
import { firstIdAt } from '#lib/id.ts'
import { parseAmount } from '#lib/money.ts'
import type { TransactionQuery } from './schema.ts'
import type { TransactionFilter } from './store.ts'

const HOUR_MS = 3_600_000
const PERIOD_MAX_MS = 31 * 24 * HOUR_MS

/** Filters that no index serves. */
const SCANNING = ['amount', 'currency', 'status_code', 'transaction_type'] as const
const OWNERS = ['card_id', 'account_id', 'user_id', 'rrn', 'reference_transaction_id'] as const

/**
 * `now` is the tenant's time, `ids` the real time by which ids are made, in milliseconds. Throws
 * `validation_failed` for filters that would read too much.
 */
export function filterOf(
  { amount, limit: _limit, after: _after, ...query }: TransactionQuery,
  clocks: { now: Date; ids: number },
): TransactionFilter {
  const scanning = SCANNING.find((name) => ({ amount, ...query })[name] !== undefined)
  const owned = OWNERS.some((name) => query[name] !== undefined)
  if (scanning !== undefined && !owned) assertPeriod(query, scanning, clocks.now)
  const ids = idsOf(query, clocks)
  return {
    ...query,
    ids,
    ...(amount !== undefined && { amounts: minorOf(amount, query.currency) }),
  }
}

function assertPeriod({ from, to }: TransactionQuery, filter: string, now: Date): void {
  if (from === undefined) {
    throw invalid('from', `is required with ${filter}, unless a card, account or user is named`)
  }
  if (new Date(to ?? now).getTime() - new Date(from).getTime() > PERIOD_MAX_MS) {
    throw invalid('from', `is more than 31 days before the end of the period, with ${filter}`)
  }
}

const byDecimals = Map.groupBy(currencyCodes, exponentOf)

/** An amount is other minor units in currencies of other decimals; it may not be one in some. */
function minorOf(amount: number | string, currency: string | undefined) {
  if (currency !== undefined && !isCurrency(currency)) {
    throw invalid('currency', 'is not an ISO 4217 currency')
  }
  const groups = currency === undefined ? [...byDecimals.values()] : [[currency]]
  const parsed = groups.map((currencies) => ({
    currencies,
    read: parseAmount(amount, currencies[0] ?? ''),
  }))
  const amounts = parsed.flatMap(({ currencies, read }) =>
    read.ok ? [{ currencies, minor: read.minor }] : [],
  )
  const [fault] = parsed.flatMap(({ read }) => (read.ok ? [] : [read.message]))
  if (amounts.length === 0) throw invalid('amount', fault ?? 'is not an amount')
  return amounts
}

/** Processes make ids by their own clocks, of which none is so far off. */
const SLACK_MS = HOUR_MS

/**
 * The ids of transactions of the period. They are made in real time; a tenant's clock is ahead of
 * that, at every transaction by at most as much as now, since it only goes forward.
 */
function idsOf({ from, to }: TransactionQuery, { now, ids }: { now: Date; ids: number }) {
  const ahead = Math.max(0, now.getTime() - ids)
  const at = (instant: Date | string, shift: number) =>
    firstIdAt(Math.max(0, new Date(instant).getTime() + shift))
  return {
    ...(from !== undefined && { first: at(from, -ahead - SLACK_MS) }),
    ...(to !== undefined && { end: at(to, SLACK_MS) }),
  }
}
