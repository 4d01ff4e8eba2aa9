/** Public functions of the orders of cards. */

import { lockCard, lockCardRow, updateCardsDue } from '#issuing/cards/cards.ts'
import { findProduct } from '#issuing/products/products.ts'
import { withinTenant } from '#issuing/tenants/tenants.ts'
import { raiseVersions } from '#issuing/versions/versions.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { asInvalid } from '#kit/http/answers/problems.ts'
import { listPage } from '#kit/http/lists.ts'
import type { Page } from '#lib/paging.ts'
import { ApiError } from '#lib/result.ts'
import { type AnswerRow, listAnswerRows } from './answers/store.ts'
import { CARD_ORDERS, makeBatch } from './collect.ts'
import { presentOrder } from './present.ts'
import type { Bureau } from './provider.ts'
import type { BureauAnswerQuery, OrderQuery, SendOrders } from './schema.ts'
import { type Sending, workOn } from './send.ts'
import {
  claimOrder,
  countRecords,
  findOrderRow,
  findRecordOfCard,
  listOrderRows,
  type RecordRow,
  updateOrdersDue,
} from './store.ts'

export { applyBytes } from './answers/simulated.ts'
export { auditCardOrders } from './audit.ts'
export type { Sending } from './send.ts'
export { ordersDue } from './store.ts'

/** The batches of the tenant, newest first. */
export async function listOrders(ctx: Context, query: OrderQuery) {
  const page = await listPage('card_orders', query, (range) => listOrderRows(ctx, query, range))
  const counts = await countRecords(
    ctx,
    page.data.map(({ id }) => id),
  )
  return { ...page, data: page.data.map((row) => presentOrder(row, counts.get(row.id))) }
}

export async function findOrder(ctx: Context | Tx, id: string) {
  const row = await findOrderRow(ctx, id)
  if (!row) throw new ApiError('not_found')
  return presentOrder(row, (await countRecords(ctx, [row.id])).get(row.id))
}

/**
 * The cards of the tenant that wait are collected now, and batches that wait are tried again. Fails
 * with `not_configured` where there is no bureau.
 */
export function sendOrders(
  ctx: Context | Tx,
  bureau: Bureau | undefined,
  { tenant_id, card_product_id }: SendOrders,
): Promise<{ cards: number; batches: number }> {
  if (!bureau) throw new ApiError('not_configured', { detail: NO_BUREAU })
  return transact(ctx, async (tx) => {
    const isNone = asInvalid('tenant_id', 'names no tenant')
    const within = await withinTenant(tx, tenant_id).catch(isNone)
    if (card_product_id !== undefined) {
      const isMissing = asInvalid('card_product_id', 'does not exist')
      await findProduct(within, card_product_id).catch(isMissing)
    }
    const batches = await updateOrdersDue(within, card_product_id)
    const cards = await updateCardsDue(within, card_product_id)
    tx.afterCommit(() => tx.notify(CARD_ORDERS, tenant_id))
    return { cards, batches }
  })
}

const NO_BUREAU =
  'No bureau is configured: set BUREAU_SFTP or BUREAU_FOLDER with the keys of both sides.'

/** Orders a card at once, in a batch of its own. It is CREATED; the caller has locked it. */
export async function orderCard(tx: Tx, sending: Sending, id: string): Promise<void> {
  const card = await lockCard(tx, id)
  // A payment that has the account is waited for.
  await raiseVersions(tx, { card_ids: [card.id] })
  const order_id = card.card_order_id ?? (await makeBatch(tx, sending.bureau, [card]))
  const order = await claimOrder(tx, tx.now, order_id)
  if (order) await workOn(tx, sending, order)
}

/** The order of a card that the bureau has; undefined for one that was ordered by other means. */
export async function orderOfCard(tx: Tx, id: string): Promise<RecordRow | undefined> {
  const card = await lockCardRow(tx, id)
  if (!card?.card_order_id) return undefined
  return findRecordOfCard(tx, card.id, card.card_order_id)
}

/** The files of answers of the bureau, newest first. */
export function listAnswers(ctx: Context, query: BureauAnswerQuery): Promise<Page<AnswerRow>> {
  return listPage('bureau_answers', query, (range) => listAnswerRows(ctx, range))
}
