/** Makes API answers of stored products: ranges as integers, amounts in major units. */

import { PAN_LENGTH } from '#issuing/vault/vault.ts'
import type { Context } from '#kit/context.ts'
import { formatAmount } from '#lib/money.ts'
import { presentCharges } from './rules/charges.ts'
import { presentStoredAuthSettings } from './rules/settings.ts'
import { emvInForce, pinRules } from './rules/terms.ts'
import { switches } from './schema.ts'
import type { ProductRow } from './store.ts'

/** An answer contains every switch in force: a switch that was not set allows (D-104). */
const allowed = Object.fromEntries(switches.map((name) => [name, true]))

export function presentProduct({ profile }: Pick<Context, 'profile'>, row: ProductRow) {
  const { pan_range_start, pan_range_end, auth_settings, currency } = row
  const major = (minor: bigint | null) => (minor === null ? null : formatAmount(minor, currency))
  return {
    ...row,
    pan_range: { start_range: Number(pan_range_start), end_range: Number(pan_range_end) },
    pan_length: PAN_LENGTH,
    auth_settings: { ...allowed, ...presentStoredAuthSettings(auth_settings, currency) },
    pin: pinRules(row.pin),
    identify_above: major(row.identify_above),
    unlinked_credit_max_amount: major(row.unlinked_credit_max_amount),
    unlinked_credit_max_daily_amount: major(row.unlinked_credit_max_daily_amount),
    emv: emvInForce(row.emv, profile),
    charges: presentCharges(row.charges, currency),
  }
}
