/**
 * Public functions of widgets (D-40): small pages of the operator, framed by a client's page, where
 * a cardholder views a card, sets its PIN or activates it; the client gets neither number nor PIN.
 */

import {
  type CardRow,
  changeCardStatus,
  countDetails,
  findCard,
  lockCard,
  type RevealedCard,
  readCardData,
} from '#issuing/cards/cards.ts'
import { setPin } from '#issuing/pins/pins.ts'
import { findProduct } from '#issuing/products/products.ts'
import { readSettings } from '#issuing/tenants/tenants.ts'
import { recordChange } from '#kit/audit_log/records.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { DatabaseUnavailable } from '#kit/db/database.ts'
import { type Services, tenantContext } from '#kit/http/callers/callers.ts'
import { ApiError, CommittedError, unwrap } from '#lib/result.ts'
import type { Secret } from '#lib/secret.ts'
import { checkOrigin } from './rules.ts'
import type { NewWidgetToken, WidgetName } from './schema.ts'
import { findUsableToken, insertToken, updateTokenFailed, updateTokenUsed } from './store.ts'
import { digestOf, newToken, tenantIn } from './token.ts'

const LIFE_MS = 5 * 60 * 1000
/** How many rejected PINs a token allows. */
const PIN_FAILURES_MAX = 5
/** The status of `pin_refused`, for its record. */
const PIN_REFUSED_STATUS = 400

/**
 * Creates a token for one card, one widget and one framing page, for a single use within five
 * minutes of the tenant's clock.
 */
export function createWidgetToken(
  ctx: Context | Tx,
  id: string,
  { widget, origin }: NewWidgetToken,
): Promise<{ token: string; expires: Date }> {
  const framing = unwrap(checkOrigin(origin, ctx.profile))
  return transact(ctx, async (tx) => {
    const card = await findCard(tx, id)
    if (card.status === 'TERMINATED') throw new ApiError('card_terminated')
    if (widget === 'SET_PIN' && !tx.custody.takes_clear_pins) {
      throw new ApiError('pin_by_block_only')
    }
    const token = newToken(tx.tenant_id)
    const expires = new Date(tx.now.getTime() + LIFE_MS)
    const row = { digest: digestOf(token), card_id: card.id, widget, origin: framing, expires }
    await insertToken(tx, row)
    return { token, expires }
  })
}

/**
 * The context of the holder of a token: in its tenant, with a client's rights. Fails with
 * `widget_token_invalid` for text that is not a token of a tenant.
 */
export async function contextOf(services: Services, token: string): Promise<Context> {
  const tenant_id = tenantIn(token)
  if (tenant_id === undefined) throw new ApiError('widget_token_invalid')
  const actor = { kind: 'client', id: 'widget' } as const
  return tenantContext(services, tenant_id, actor).catch((error: unknown) => {
    throw error instanceof DatabaseUnavailable ? error : new ApiError('widget_token_invalid')
  })
}

/** The data that the page of a widget needs. */
export type Visit = { widget: WidgetName; origin: string; last_four: string; pin_length: number }

/** Looks a token up without using it. Fails with `widget_token_invalid` for every fault. */
export async function visitOf(ctx: Context, token: string): Promise<Visit> {
  const found = await findUsableToken(ctx, digestOf(token))
  if (!found) throw new ApiError('widget_token_invalid')
  const { status, last_four, card_product_id } = await findCard(ctx, found.card_id)
  if (status === 'TERMINATED') throw new ApiError('widget_token_invalid')
  const { pin } = await findProduct(ctx, card_product_id)
  return { widget: found.widget, origin: found.origin, last_four, pin_length: pin.length }
}

/**
 * Uses the token for number, expiry and CVV2 of its card; only once. Fails as `countDetails` does;
 * the token is not used then.
 */
export function showDetails(ctx: Context, token: string): Promise<RevealedCard> {
  return transact(ctx, async (tx) => {
    // A token that is not valid reaches no limit.
    const usable = await findUsableToken(tx, digestOf(token))
    if (usable?.widget !== 'CARD_DETAILS') throw new ApiError('widget_token_invalid')
    await countDetails(tx, await readSettings(tx))
    const card = await cardFor(tx, token, 'CARD_DETAILS')
    const data = await readCardData(tx, card)
    recordChange(tx, [card.id])
    return data
  })
}

/**
 * Uses the token to set the PIN of its card. Fails with `pin_refused`
 * for a PIN that the product does not accept: `tries_left` is the number of further attempts under
 * the token, and the fifth rejected PIN uses it up.
 */
export async function choosePin(ctx: Context, token: string, pin: Secret): Promise<void> {
  await transact(ctx, async (tx) => {
    const card = await cardFor(tx, token, 'SET_PIN')
    if (card.status !== 'ACTIVE') throw new ApiError('card_not_active')
    try {
      await setPin(tx, card, pin)
      recordChange(tx, [card.id])
    } catch (error) {
      // `setPin` fails before it writes anything, so this transaction commits only the count.
      if (!(error instanceof ApiError && error.code === 'pin_refused')) throw error
      const failures = await updateTokenFailed(tx, digestOf(token), PIN_FAILURES_MAX)
      recordChange(tx, [card.id], PIN_REFUSED_STATUS)
      const extra = { tries_left: PIN_FAILURES_MAX - failures }
      throw new CommittedError(error.code, {
        ...(error.detail && { detail: error.detail }),
        extra,
      })
    }
  })
}

/** Uses the token to activate its card. Fails as `changeCardStatus` does. */
export async function activateCard(ctx: Context, token: string): Promise<void> {
  await transact(ctx, async (tx) => {
    const { id } = await cardFor(tx, token, 'ACTIVATE')
    await changeCardStatus(tx, id, { status: 'ACTIVE', status_reason_code: 'a0' })
    recordChange(tx, [id])
  })
}

/** The card of a token, locked; the token is used up when the transaction commits. */
async function cardFor(tx: Tx, token: string, widget: WidgetName): Promise<CardRow> {
  const card_id = await updateTokenUsed(tx, digestOf(token), widget)
  if (card_id === undefined) throw new ApiError('widget_token_invalid')
  const card = await lockCard(tx, card_id)
  if (card.status === 'TERMINATED') throw new ApiError('card_terminated')
  return card
}
