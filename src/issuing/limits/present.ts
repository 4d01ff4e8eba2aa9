/** Stored limits as the API answers them: amounts in major units. */

import { formatAmount } from '#lib/money.ts'
import type { LimitRow } from './store.ts'

export function presentLimit(row: LimitRow) {
  const major = (minor: bigint | null) =>
    minor === null ? null : formatAmount(minor, row.currency)
  return { ...row, min_amount: major(row.min_amount), max_amount: major(row.max_amount) }
}
