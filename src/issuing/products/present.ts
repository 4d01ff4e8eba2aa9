/** How a stored product is shown: ranges as whole numbers, minor units as decimals. */

import { PAN_LENGTH } from '#issuing/vault/vault.ts'
import type { Context } from '#kit/context.ts'
import { formatAmount } from '#lib/money.ts'
import { presentStoredAuthSettings } from './rules/settings.ts'
import { emvInForce } from './rules/terms.ts'
import { switches } from './schema.ts'
import type { ProductRow } from './store.ts'

/** A product shows every switch, as it acts: what was not set is allowed (D-104). */
const allowed = Object.fromEntries(switches.map((name) => [name, true]))

export function presentProduct({ mode }: Pick<Context, 'mode'>, row: ProductRow) {
  const { pan_range_start, pan_range_end, auth_settings, currency } = row
  const shown = (minor: bigint | null) => (minor === null ? null : formatAmount(minor, currency))
  return {
    ...row,
    pan_range: { start_range: Number(pan_range_start), end_range: Number(pan_range_end) },
    pan_length: PAN_LENGTH,
    auth_settings: { ...allowed, ...presentStoredAuthSettings(auth_settings, currency) },
    identify_above: shown(row.identify_above),
    unlinked_credit_max_amount: shown(row.unlinked_credit_max_amount),
    unlinked_credit_max_daily_amount: shown(row.unlinked_credit_max_daily_amount),
    emv: emvInForce(row.emv, mode),
  }
}
