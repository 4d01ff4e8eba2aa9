/** Public functions of stop orders: a merchant whose recurring payments are declined (D-111). */

import { type CardRow, chainOf, findCard, lockCardRow } from '#issuing/cards/cards.ts'
import { readMerchantId } from '#issuing/lists/rules.ts'
import { raiseVersions } from '#issuing/versions/versions.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { invalid } from '#kit/http/answers/problems.ts'
import { listPage } from '#kit/http/lists.ts'
import { newId } from '#lib/id.ts'
import type { Page } from '#lib/paging.ts'
import { ApiError } from '#lib/result.ts'
import type { NewStopOrder, StopOrderQuery } from './schema.ts'
import {
  type CardPayment,
  countStopOrders,
  deleteStopOrderRow,
  findStopOrderRow,
  insertStopOrder,
  listStopOrderRows,
  listStopped,
  type StopOrderRow,
} from './store.ts'

export type { CardPayment } from './store.ts'

/** The most stop orders of a card and all those that it replaces or is replaced by. */
const STOP_ORDERS_MAX = 1000

/**
 * Stops the recurring payments of a merchant with this card, with those that it replaces and those
 * that replace it (D-423). Fails with `stop_order_exists` if one of them has such an order, and
 * with `id_taken`.
 */
export function createStopOrder(
  ctx: Context | Tx,
  card_id: string,
  { id = newId(), merchant_id: sent }: NewStopOrder,
): Promise<StopOrderRow> {
  const merchant_id = readMerchantId(sent)
  if (merchant_id === undefined) throw invalid('merchant_id', 'is blank')
  return transact(ctx, async (tx) => {
    const card = await lockChain(tx, card_id)
    const { count, exists } = await countStopOrders(tx, card.chain_id, merchant_id)
    if (exists) throw new ApiError('stop_order_exists')
    if (count >= STOP_ORDERS_MAX) throw new ApiError('stop_orders_reached')
    const { chain_id } = card
    const order = { id: id.toLowerCase(), card_id: card.id, chain_id, merchant_id }
    const row = await insertStopOrder(tx, order)
    if (!row) throw new ApiError('id_taken')
    await raiseOfChain(tx, card)
    return row
  })
}

/** A stop order that holds for the card. */
export async function findStopOrder(
  ctx: Context | Tx,
  card_id: string,
  id: string,
): Promise<StopOrderRow> {
  const order = await findStopOrderRow(ctx, card_id, id)
  if (!order) throw new ApiError('not_found')
  return order
}

/** The stop orders that hold for the card, newest first. */
export function listStopOrders(
  ctx: Context,
  card_id: string,
  query: StopOrderQuery,
): Promise<Page<StopOrderRow>> {
  return listPage('stop_orders', query, async (range) => {
    const { chain_id } = await findCard(ctx, card_id)
    return listStopOrderRows(ctx, chain_id, range)
  })
}

/** Later payments of the merchant are not stopped any more. */
export function deleteStopOrder(
  ctx: Context | Tx,
  card_id: string,
  id: string,
): Promise<{ id: string; deleted: boolean }> {
  return transact(ctx, async (tx) => {
    const card = await lockChain(tx, card_id)
    if (!(await deleteStopOrderRow(tx, card.chain_id, id))) throw new ApiError('not_found')
    await raiseOfChain(tx, card)
    return { id: id.toLowerCase(), deleted: true }
  })
}

/** The payments among these recurring ones that a stop order declines. One statement, or none. */
export async function stoppedAmong(
  ctx: Context,
  payments: readonly CardPayment[],
): Promise<CardPayment[]> {
  return payments.length === 0 ? [] : listStopped(ctx, payments)
}

/** The card; the first of its chain is locked, so that the orders of the chain change in turn. */
async function lockChain(tx: Tx, card_id: string): Promise<CardRow> {
  const card = await findCard(tx, card_id)
  await lockCardRow(tx, card.chain_id)
  return card
}

/** Decisions rest on the orders: they are covered by the accounts of all cards of the chain. */
async function raiseOfChain(tx: Tx, card: CardRow): Promise<void> {
  const chain = await chainOf(tx, card)
  await raiseVersions(tx, { card_ids: chain.map(({ id }) => id) })
}
