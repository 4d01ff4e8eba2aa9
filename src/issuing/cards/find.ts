/** Finds one card of the tenant, to read or to change. */

import type { Context, Tx } from '#kit/context.ts'
import { ApiError } from '#lib/result.ts'
import { type CardRow, findCardRow, lockCardRow } from './store.ts'

/** A card of the tenant. */
export async function findCard(ctx: Context | Tx, id: string): Promise<CardRow> {
  const card = await findCardRow(ctx, id)
  if (!card) throw new ApiError('not_found')
  return card
}

/** A card of the tenant, locked until the transaction ends. */
export async function lockCard(tx: Tx, id: string): Promise<CardRow> {
  const card = await lockCardRow(tx, id)
  if (!card) throw new ApiError('not_found')
  return card
}
