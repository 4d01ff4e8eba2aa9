/** The switches of product and card (D-33): their rules and codes are rows of one table (D-948). */

import { type Switch, type SwitchMessage, switchTable } from '#issuing/products/rules.ts'
import type { Case } from '../case.ts'
import { isChip, isRead } from './entry_modes.ts'
import { declined, type Finding, passed } from './findings.ts'

type Level = 'tenant' | 'product' | 'card'

/** The switches of each level with its codes, in the order of precedence (D-105). */
const levels = (['tenant', 'product', 'card'] satisfies Level[]).map((level) => ({
  level,
  rules: switchTable.flatMap(({ name, applies, [level]: code }) =>
    code === undefined ? [] : [{ name, applies, code }],
  ),
}))

/** Every code in the order of precedence; a code of both levels is listed at its first place. */
export const switchCodes: readonly string[] = [
  ...new Set(levels.flatMap(({ rules }) => rules.map(({ code }) => code))),
]

/** The first switch that is off and about this message: the tenant's, the product's, the card's. */
export function switches(input: Case): Finding {
  const { card, settings } = input
  const set: Record<Level, { [Name in Switch]?: boolean } | undefined> = {
    tenant: settings,
    product: card?.settings.product.auth_settings,
    card: card?.settings.card.auth_settings,
  }
  let message: SwitchMessage | undefined
  for (const { level, rules } of levels) {
    const own = set[level]
    if (!own) continue
    for (const { name, applies, code } of rules) {
      if (own[name] !== false) continue
      message ??= messageOf(input)
      if (applies(message)) return declined(code, `${level} ${name} off`)
    }
  }
  return passed('allowed')
}

function messageOf({ request, kind, code, raises, local_time }: Case): SwitchMessage {
  return {
    code,
    direction: kind.direction,
    is_verification: kind.type === 'VERIFICATION',
    environment: request.pos.environment,
    entry_mode: request.entry_mode,
    is_chip: isChip(request),
    is_read: isRead(request),
    is_3ds: request.three_ds !== 'NONE',
    has_cvv2: request.cvv2 !== undefined,
    has_pin: request.pin_block !== undefined,
    is_recurring: request.recurring,
    is_increment: raises !== undefined,
    mcc: request.merchant.mcc,
    localHour: () => Number(local_time().slice(0, 2)),
  }
}
