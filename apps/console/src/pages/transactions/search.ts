/** The filters of the list as a query of the API. */

import { infiniteQueryOptions } from '@tanstack/react-query'
import { answered, issuing } from '../../api/client.ts'
import type { Transaction } from '../../api/types.ts'
import { periodOf } from '../../parts/days.ts'
import type { FilterValues } from '../../parts/filters.tsx'

export const NAMES = [
  ...(['first', 'last', 'status', 'transaction_type', 'status_code'] as const),
  ...(['amount', 'currency', 'rrn', 'card_id', 'account_id', 'user_id'] as const),
] as const
export type Filter = (typeof NAMES)[number]
export type Values = FilterValues<Filter>

export const STATUSES: readonly Transaction['status'][] = [
  ...(['PENDING', 'SETTLED', 'DECLINED', 'VOIDED', 'EXPIRED'] as const),
]
export const TYPES: readonly Transaction['transaction_type'][] = [
  ...(['PURCHASE', 'WITHDRAWAL', 'CASH_BACK', 'ACCOUNT_FUNDING', 'QUASI_CASH'] as const),
  ...(['CASH_DISBURSEMENT', 'REFUND', 'DEPOSIT', 'ORIGINAL_CREDIT', 'PAYMENT'] as const),
  ...(['BALANCE_INQUIRY', 'VERIFICATION', 'TRANSFER'] as const),
]

/** These read every row of a period, which the API wants named and bounded. */
const SCANNING = ['transaction_type', 'status_code', 'amount', 'currency'] as const
const OWNERS = ['card_id', 'account_id', 'user_id', 'rrn'] as const
/** A number within the 31 days that a period may have. */
const DAYS = 29

/** The values, with the last days as the period where one is needed and none is chosen. */
export function withPeriod(values: Values): Values {
  const scans = SCANNING.some((name) => values[name]) && !OWNERS.some((name) => values[name])
  if (!scans || values.first) return values
  const first = values.last ? new Date(`${values.last}T00:00`) : new Date()
  first.setDate(first.getDate() - DAYS)
  return { ...values, first: dayOf(first) }
}

/** The day as its field has it, by the reader's clock. */
const dayOf = (instant: Date): string =>
  [instant.getFullYear(), instant.getMonth() + 1, instant.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')

/** The pages of the list, as each page of the console that needs them reads them. */
export const listOf = (values: Values) =>
  infiniteQueryOptions({
    queryKey: ['transactions', 'list', values],
    initialPageParam: '',
    queryFn: ({ pageParam }) => readTransactions(values, pageParam === '' ? undefined : pageParam),
    getNextPageParam: ({ has_more, after }) => (has_more ? after : undefined),
  })

/** The same filters in the address of one of the rows. */
export function addressOf(id: string, values: Values): string {
  const query = new URLSearchParams(values).toString()
  return `/transactions/${id}${query === '' ? '' : `?${query}`}`
}

export function readTransactions(values: Values, after: string | undefined) {
  const { first, last, status, transaction_type, ...rest } = withPeriod(values)
  const known = STATUSES.find((one) => one === status)
  const type = TYPES.find((one) => one === transaction_type)
  const query = {
    ...rest,
    ...periodOf(first, last),
    ...(known && { status: known }),
    ...(type && { transaction_type: type }),
    ...(after !== undefined && { after }),
  }
  return answered(issuing.transactions.list(query))
}
