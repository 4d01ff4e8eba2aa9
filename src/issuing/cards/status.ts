/** Changes the status of a card, by a request or by a rule, and reports the change. */

import { emit } from '#events/outbox.ts'
import { endMonths } from '#issuing/charges/charges.ts'
import type { TenantQuery } from '#issuing/tenants/schema.ts'
import { withinTenantOf } from '#issuing/tenants/tenants.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { unwrap } from '#lib/result.ts'
import { cardStatusChange } from './events.ts'
import { lockCard } from './find.ts'
import { type PresentedCard, presentCard } from './present.ts'
import type { Mover } from './rules/moves.ts'
import { checkStatusChange, endedBy, type NewStatus } from './rules/status.ts'
import type { StatusChange } from './schema.ts'
import { type CardRow, updateCardRow } from './store.ts'

/**
 * Moves a card to another status as the table of rules/moves.ts allows the caller, and reports it.
 */
export function changeCardStatus(
  ctx: Context | Tx,
  id: string,
  { note, ...target }: StatusChange,
): Promise<CardRow> {
  return transact(ctx, async (tx) => {
    const before = await lockCard(tx, id)
    const mover = moverOf(tx)
    const state = unwrap(checkStatusChange(before, target, mover))
    const terminated_by_operator = state.status === 'TERMINATED' && mover === 'operator'
    return changeCardState(tx, { ...before, terminated_by_operator }, state, note)
  })
}

/**
 * The same for the operator, who belongs to no tenant; returns the card as the API answers it.
 * Fails with `tenant_ambiguous` if two tenants use the id.
 */
export function changeCardStatusAsOperator(
  ctx: Context | Tx,
  id: string,
  { tenant_id }: TenantQuery,
  change: StatusChange,
): Promise<PresentedCard> {
  return transact(ctx, async (tx) => {
    const within = await withinTenantOf(tx, 'cards', id, tenant_id)
    return presentCard(await changeCardStatus(within, id, change))
  })
}

/**
 * Writes a move that the rules allow, clears what ended with the state before it, and reports it.
 * `before` is locked; its other changed members are written as well.
 */
export async function changeCardState(
  tx: Tx,
  before: CardRow,
  state: NewStatus,
  note?: StatusChange['note'],
): Promise<CardRow> {
  // Sent together and run in this order.
  const [, after] = await Promise.all([
    state.status === 'TERMINATED' && endMonths(tx, before.id),
    updateCardRow(tx, { ...before, ...state, ...endedBy(before, state) }),
  ])
  await emit(tx, cardStatusChange(before, after, note))
  return after
}

function moverOf({ actor }: Context): Mover {
  return actor.kind === 'operator' || actor.kind === 'system' ? actor.kind : 'client'
}
