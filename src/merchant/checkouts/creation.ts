/** The steps that begin every payment of a reference, on a page or with a kept card. */

import type { Tx } from '#kit/context.ts'
import { newId } from '#lib/id.ts'
import { ApiError, type Result, TransientError } from '#lib/result.ts'
import { newFormToken, newPageKey } from './page_id.ts'
import { asStored, type CheckoutPlan, displayReferenceOf } from './rules/request.ts'
import type { NewKeptPayment } from './schema.ts'
import { type CheckoutRow, noChallenge, updateCheckout } from './store.ts'

const LIFE_MS = 24 * 60 * 60 * 1000
const RETRY_AFTER_SECONDS = 5

/** Fails with the faults of the request and that of a reference in use (D-125). */
export function planOf<Plan>(checked: Result<Plan, 'validation_failed'>, isUsed: boolean): Plan {
  if (checked.ok && !isUsed) return checked.value
  const used = { path: 'reference', message: 'is the reference of an order already' }
  const errors = [...((!checked.ok && checked.errors) || []), ...(isUsed ? [used] : [])]
  throw new ApiError('validation_failed', { errors })
}

/** A payment that may still succeed is not superseded: there would be two of one order. */
export function supersede(tx: Tx, before: CheckoutRow): void {
  if (before.status === 'PAYING') {
    throw new TransientError('payment_in_progress', {
      retry_after_seconds: RETRY_AFTER_SECONDS,
    })
  }
  const changes = { status: 'SUPERSEDED' as const, due: null, ...noChallenge }
  void tx.withCommit(updateCheckout(tx, before.id, changes))
}

export function newRow(
  { tenant_id, now }: Tx,
  merchant_id: string,
  request: NewKeptPayment,
  plan: CheckoutPlan,
): CheckoutRow {
  const expires = new Date(now.getTime() + LIFE_MS)
  const { reference, total, amount, currency, confirm_callback_url, reject_callback_url } = plan
  return {
    tenant_id,
    id: newId(),
    merchant_id,
    page_key: newPageKey(),
    reference,
    status: 'OPEN',
    total,
    amount,
    currency,
    request: { ...asStored(request), display_reference: displayReferenceOf(request) },
    confirm_callback_url,
    reject_callback_url,
    form_token: newFormToken(),
    declines: 0,
    last_decline: null,
    ...noChallenge,
    wrong_codes: 0,
    message_id: null,
    in_doubt: false,
    keep_consent: null,
    kept_card_id: null,
    idempotency_key: null,
    fingerprint: null,
    expires,
    due: expires,
    created: now,
    modified: now,
  }
}
