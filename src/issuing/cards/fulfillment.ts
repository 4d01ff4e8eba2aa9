/** Production and delivery of a physical card; each step is reported (D-32, D-60). */

import { emit } from '#events/outbox.ts'
import type { TenantQuery } from '#issuing/tenants/schema.ts'
import { readSettings, withinTenantOf } from '#issuing/tenants/tenants.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { unwrap } from '#lib/result.ts'
import { deliveryPartnerAssigned, deliveryStatusChanged } from './events.ts'
import { lockCard } from './find.ts'
import { type PresentedCard, presentCard } from './present.ts'
import { checkFulfillment, embossDue } from './rules/fulfillment.ts'
import type { CardType, FulfillmentChange } from './schema.ts'
import { updateCardRow } from './store.ts'

export type InitialFulfillment = { fulfillment_status: 'CREATED' | null; emboss_due: Date | null }

/** The fulfillment of new cards: physical ones are ordered at the tenant's next hour of orders. */
export async function firstFulfillments(
  tx: Tx,
  types: ReadonlySet<CardType>,
): Promise<Map<CardType, InitialFulfillment>> {
  const first = new Map<CardType, InitialFulfillment>()
  if (types.has('VIRTUAL')) first.set('VIRTUAL', { fulfillment_status: null, emboss_due: null })
  if (types.has('PHYSICAL')) first.set('PHYSICAL', await toBeMade(tx))
  return first
}

export async function toBeMade(tx: Tx): Promise<InitialFulfillment> {
  const { time_zone, card_order_hour } = await readSettings(tx)
  const emboss_due = embossDue(tx.now, time_zone, card_order_hour)
  return { fulfillment_status: 'CREATED', emboss_due }
}

const AS_NEW = { card_order_id: null, delivery_partner: null, tracking_number: null }

/**
 * Moves the fulfillment by one step of the table of rules/fulfillment.ts; returns the card as the
 * API answers it.
 */
export function changeFulfillment(
  ctx: Context | Tx,
  id: string,
  { fulfillment_status: target, ...delivery }: FulfillmentChange,
): Promise<PresentedCard> {
  return transact(ctx, async (tx) => {
    const before = await lockCard(tx, id)
    const fulfillment_status = unwrap(checkFulfillment(before, target))
    const step =
      fulfillment_status === 'CREATED'
        ? { ...(await toBeMade(tx)), ...AS_NEW }
        : { fulfillment_status, emboss_due: null }
    // A card that no batch has was ordered by other means than a file.
    const ordered_by_file =
      fulfillment_status === 'CREATED' || (before.ordered_by_file && before.card_order_id !== null)

    const after = await updateCardRow(tx, { ...before, ...step, ordered_by_file, ...delivery })
    const assigned = delivery.delivery_partner === undefined ? [] : [deliveryPartnerAssigned(after)]
    await emit(tx, ...assigned, deliveryStatusChanged(before, after))
    return presentCard(after)
  })
}

/**
 * The same for the operator, who belongs to no tenant. Fails with `tenant_ambiguous` if two tenants
 * use the id.
 */
export function changeFulfillmentAsOperator(
  ctx: Context | Tx,
  id: string,
  { tenant_id }: TenantQuery,
  change: FulfillmentChange,
): Promise<PresentedCard> {
  return transact(ctx, async (tx) => {
    const within = await withinTenantOf(tx, 'cards', id, tenant_id)
    return changeFulfillment(within, id, change)
  })
}
