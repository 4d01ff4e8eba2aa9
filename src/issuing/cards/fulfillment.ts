/** The plastic of a card is made and delivered, and each step is told (D-32, D-60). */

import type { TenantQuery } from '#issuing/tenants/schema.ts'
import { readSettings, withinTenantOf } from '#issuing/tenants/tenants.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { emit } from '#kit/outbox.ts'
import { unwrap } from '#lib/result.ts'
import { deliveryPartnerAssigned, deliveryStatusChanged } from './events.ts'
import { lockCard } from './find.ts'
import { presentCard, type ShownCard } from './present.ts'
import { embossDue, ruleOnFulfillment } from './rules/fulfillment.ts'
import type { CardType, FulfillmentChange } from './schema.ts'
import { saveCard } from './store.ts'

type Beginning = { fulfillment_status: 'CREATED' | null; emboss_due: Date | null }

/** What a new card begins with: plastic goes to the embosser on the tenant's next day. */
export async function firstFulfillment(tx: Tx, card_type: CardType): Promise<Beginning> {
  return card_type === 'PHYSICAL' ? toBeMade(tx) : { fulfillment_status: null, emboss_due: null }
}

export async function toBeMade(tx: Tx): Promise<Beginning> {
  const { time_zone } = await readSettings(tx)
  return { fulfillment_status: 'CREATED', emboss_due: embossDue(tx.now, time_zone) }
}

/**
 * One step of the plastic, as the table of rules/fulfillment.ts has it; answers the card as it is
 * shown. Refuses with `not_found`, `card_terminated` and `fulfillment_move_refused`.
 */
export function changeFulfillment(
  ctx: Context | Tx,
  id: string,
  { fulfillment_status: wanted, ...delivery }: FulfillmentChange,
): Promise<ShownCard> {
  return transact(ctx, async (tx) => {
    const before = await lockCard(tx, id)
    const fulfillment_status = unwrap(ruleOnFulfillment(before, wanted))
    const step =
      fulfillment_status === 'CREATED'
        ? { ...(await toBeMade(tx)), delivery_partner: null, tracking_number: null }
        : { fulfillment_status, emboss_due: null }

    const after = await saveCard(tx, { ...before, ...step, ...delivery })
    const assigned = delivery.delivery_partner === undefined ? [] : [deliveryPartnerAssigned(after)]
    await emit(tx, ...assigned, deliveryStatusChanged(before, after))
    return presentCard(tx, after)
  })
}

/**
 * The same for the operator, who belongs to no tenant. Refuses with `tenant_ambiguous` where two
 * tenants use the id.
 */
export function changeFulfillmentAsOperator(
  ctx: Context | Tx,
  id: string,
  { tenant_id }: TenantQuery,
  change: FulfillmentChange,
): Promise<ShownCard> {
  return transact(ctx, async (tx) => {
    const within = await withinTenantOf(tx, 'cards', id, tenant_id)
    return changeFulfillment(within, id, change)
  })
}
