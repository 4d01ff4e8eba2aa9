/** One card of the tenant, to look at or to change. */

import type { Context, Tx } from '#kit/context.ts'
import { ApiError } from '#lib/result.ts'
import { type CardRow, lockCardRow, selectOne } from './store.ts'

/** A card of the tenant; refuses with `not_found`. */
export async function findCard(ctx: Context | Tx, id: string): Promise<CardRow> {
  const card = await selectOne(ctx, id)
  if (!card) throw new ApiError('not_found')
  return card
}

/** A card of the tenant, locked until the transaction ends; refuses with `not_found`. */
export async function lockCard(tx: Tx, id: string): Promise<CardRow> {
  const card = await lockCardRow(tx, id)
  if (!card) throw new ApiError('not_found')
  return card
}
