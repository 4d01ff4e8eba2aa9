/** Payouts and statements as both APIs return them: the merchant's as text, the operator's not. */

import { formatAmount, formatFixed } from '#lib/money.ts'
import { formatSixDigits } from '#lib/time.ts'
import { netOf, type Sums } from './rules.ts'
import type { OperatorPayout, Payout } from './schema.ts'
import type { PayoutRow } from './store.ts'

type Format<Shown> = (minor: bigint, currency: string) => Shown

/** Minor units with the four decimals of the merchant API. */
export const amountText: Format<string> = (minor, currency) => formatFixed(minor, currency, 4)

export const presentNet = (sums: Sums, currency: string) => ({
  ...presentSums(sums, currency, amountText),
  net: amountText(netOf(sums), currency),
})

export const presentPayout = (row: PayoutRow): Payout => ({
  payout_id: row.id,
  ...presentMembers(row, amountText),
  created_at: formatSixDigits(row.created),
  updated_at: formatSixDigits(row.modified),
})

export const presentOperatorPayout = (row: PayoutRow): OperatorPayout => ({
  id: row.id,
  tenant_id: row.tenant_id,
  merchant_id: row.merchant_id,
  ...presentMembers(row, formatAmount),
  created: row.created,
  modified: row.modified,
})

function presentMembers<Shown>(row: PayoutRow, format: Format<Shown>) {
  const { status, currency, day, number, reference } = row
  return {
    status,
    currency,
    day,
    number: Number(number),
    ...presentSums(row, currency, format),
    carried: format(row.carried, currency),
    amount: format(row.amount, currency),
    ...(reference !== null && { reference }),
  }
}

function presentSums<Shown>(sums: Sums, currency: string, format: Format<Shown>) {
  const { captures, captured, refunds, refunded, chargebacks, charged_back, fees } = sums
  return {
    captures,
    captured: format(captured, currency),
    refunds,
    refunded: format(refunded, currency),
    ...(chargebacks !== 0 && { chargebacks }),
    ...(charged_back !== 0n && { charged_back: format(charged_back, currency) }),
    fees: format(fees, currency),
  }
}
