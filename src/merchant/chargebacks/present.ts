/** Disputes as the merchant's API returns them: amounts as text. */

import { formatFixed } from '#lib/money.ts'
import { formatSixDigits } from '#lib/time.ts'
import { type ChargebackStatus, givesBack } from './rules.ts'
import type { Chargeback, ChargebackRow, Evidence } from './schema.ts'

const DECIMALS = 4

export function presentMembers(row: ChargebackRow) {
  const { id, order_id, reference, reason, reason_code, currency, respond_by } = row
  const status = row.status as ChargebackStatus
  return {
    dispute_id: id,
    order_id,
    reference,
    status,
    reason,
    ...(reason_code !== null && { reason_code }),
    currency,
    amount: formatFixed(row.amount, currency, DECIMALS),
    ...(givesBack(status) && { returned: formatFixed(row.amount - row.kept, currency, DECIMALS) }),
    fee: formatFixed(row.fee, currency, DECIMALS),
    ...(respond_by !== null && { respond_by: formatSixDigits(respond_by) }),
  }
}

export const presentChargeback = (row: ChargebackRow): Chargeback => ({
  ...presentMembers(row),
  // The column holds what the contract has let in.
  evidence: row.evidence as Evidence,
  created_at: formatSixDigits(row.created),
  updated_at: formatSixDigits(row.modified),
})
