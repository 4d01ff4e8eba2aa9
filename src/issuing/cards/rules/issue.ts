/** Expiry and first status of a new card (D-31, D-36). */

import { fail, ok, type Result } from '#lib/result.ts'
import { addMonths, monthOf } from '#lib/time.ts'
import type { CardErrorCode } from '../errors.ts'
import type { CardStatus, CardType, StatusReason } from '../schema.ts'

/** The longest validity of a card (D-36). */
const VALIDITY_MONTHS_MAX = 120

/** The last valid month of a card: as requested, or the product's validity from now. */
export function checkExpiry(
  requested: string | undefined,
  validity_months: number,
  now: Date,
): Result<string, 'validation_failed'> {
  const month = monthOf(now)
  if (requested === undefined) return ok(addMonths(month, validity_months))
  const last = addMonths(month, VALIDITY_MONTHS_MAX)
  if (requested >= month && requested <= last) return ok(requested)
  const message = `must be a month from ${month} to ${last}`
  return fail('validation_failed', { errors: [{ path: 'expiry_date', message }] })
}

type Initial = {
  initial_status_of_physical_card: 'INACTIVE' | 'ACTIVE'
  initial_status_of_virtual_card: 'INACTIVE' | 'ACTIVE'
}

/** The status with which the product issues cards of this type. */
export function initialStatus(
  product: Initial,
  card_type: CardType,
): { status: CardStatus; status_reason_code: StatusReason } {
  const status =
    card_type === 'PHYSICAL'
      ? product.initial_status_of_physical_card
      : product.initial_status_of_virtual_card
  return { status, status_reason_code: status === 'ACTIVE' ? 'A0' : 'I0' }
}

type Replaced = {
  status: CardStatus
  user_id: string | null
  card_product_id: string
  account_id: string | null
  replaced_by_card_id: string | null
}
type Replacing = { user_id: string; card_product_id: string; account_id?: string }

/**
 * Whether a card may be replaced by the requested one: same user, product and account, once, and
 * only after it was terminated (D-36).
 */
export function checkReplacement(
  old: Replaced,
  requested: Replacing,
): Result<true, CardErrorCode | 'validation_failed'> {
  const fixed = ['user_id', 'card_product_id', 'account_id'] as const
  const others = fixed.filter(
    (name) => requested[name] !== undefined && requested[name]?.toLowerCase() !== old[name],
  )
  if (others.length > 0) {
    const message = 'must be that of the card it replaces'
    return fail('validation_failed', { errors: others.map((path) => ({ path, message })) })
  }
  if (old.status !== 'TERMINATED') {
    return fail('card_not_terminated', { detail: `The card to replace is ${old.status}.` })
  }
  return old.replaced_by_card_id === null ? ok(true) : fail('card_already_replaced')
}
