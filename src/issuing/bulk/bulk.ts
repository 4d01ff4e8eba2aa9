/** Front door of bulk issuance: one request, many cards that belong to nobody yet (D-38). */

import { type ProductRow, requireProduct } from '#issuing/products/products.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { rehearse } from '#kit/dry_run.ts'
import { newestPage, placeOf } from '#kit/lists.ts'
import { invalid } from '#kit/problems.ts'
import { newId } from '#lib/id.ts'
import { LIMIT_DEFAULT, type Page } from '#lib/paging.ts'
import { ApiError, unwrap } from '#lib/result.ts'
import { BULK_ISSUANCES, takeAll } from './job.ts'
import { readPreload } from './present.ts'
import { ruleOnMove, ruleOnRequest } from './rules.ts'
import type { BulkChanges, BulkQuery, NewBulkIssuance } from './schema.ts'
import {
  type BulkRequest,
  type BulkRow,
  insertBulk,
  lockBulk,
  selectOne,
  selectPage,
  updateRequest,
} from './store.ts'

export { auditBulkIssuances } from './audit.ts'
export type { BulkRow } from './store.ts'

/**
 * Takes a request, to be worked on at once unless it is a DRAFT. Refuses with 400 on a product that
 * does not exist, on another currency than the product's and on an amount for cards without an
 * account; with `id_taken`.
 */
export function createBulkIssuance(
  ctx: Context | Tx,
  { id: chosen = newId(), ...given }: NewBulkIssuance,
): Promise<BulkRow> {
  return transact(ctx, async (tx) => {
    const product = await requireProduct(tx, given.card_product_id)
    const request = requestOf(given, product)
    const bulk = await insertBulk(tx, chosen.toLowerCase(), request)
    if (!bulk) throw new ApiError('id_taken')
    announce(tx, bulk)
    return bulk
  })
}

/**
 * What would come of a request (D-38, D-117): the numbers and the money are taken as the job would
 * take them, then given back. Refuses also with `pan_range_exhausted` and `insufficient_funds`,
 * telling what is needed and what is available.
 */
export function rehearseBulkIssuance(
  ctx: Context | Tx,
  given: NewBulkIssuance,
): Promise<BulkRequest> {
  return rehearse(ctx, true, async (tx) => {
    const product = await requireProduct(tx, given.card_product_id)
    const request = requestOf(given, product)
    await takeAll(tx, { id: newId(), ...request })
    return request
  })
}

/** A bulk issuance of the tenant; refuses with `not_found`. */
export async function findBulkIssuance(ctx: Context | Tx, id: string): Promise<BulkRow> {
  const bulk = await selectOne(ctx, id)
  if (!bulk) throw new ApiError('not_found')
  return bulk
}

/** Newest first. */
export async function listBulkIssuances(
  ctx: Context,
  { limit = LIMIT_DEFAULT, after }: BulkQuery,
): Promise<Page<BulkRow>> {
  const rows = await selectPage(ctx, limit + 1, placeOf(after))
  return newestPage(rows, limit)
}

/**
 * Changes a DRAFT, and submits it when asked to. Refuses with `bulk_issuance_move_refused` for any
 * other status and any other move, otherwise as at creation.
 */
export function updateBulkIssuance(
  ctx: Context | Tx,
  id: string,
  { status = 'DRAFT', ...given }: BulkChanges,
): Promise<BulkRow> {
  return transact(ctx, async (tx) => {
    const before = await lockBulk(tx, id)
    if (!before) throw new ApiError('not_found')
    const moved = unwrap(ruleOnMove(before.status, status, 'client'))
    const product = await requireProduct(tx, given.card_product_id ?? before.card_product_id)
    const bulk = await updateRequest(tx, before.id, {
      ...requestOf({ ...given, ...kept(before, given, product) }, product),
      status: moved === 'SUBMITTED' ? moved : 'DRAFT',
    })
    announce(tx, bulk)
    return bulk
  })
}

type Given = Omit<NewBulkIssuance, 'amount' | 'name_on_card'> & {
  amount?: number | string | bigint | null | undefined
  name_on_card?: string | null | undefined
}

function requestOf(given: Given, product: ProductRow): BulkRequest {
  const { currency = product.currency, amount = null, name_on_card = null } = given
  const { status = 'SUBMITTED', number_of_cards } = given
  const preload = preloadOf(amount, product)
  const result = ruleOnRequest({ currency, amount: preload.amount }, product)
  const errors = [...preload.faults, ...(result.ok ? [] : (result.errors ?? []))]
  if (errors.length > 0) throw new ApiError('validation_failed', { errors })
  const card_product_id = product.id
  return {
    status,
    card_product_id,
    number_of_cards,
    amount: preload.amount,
    currency,
    name_on_card,
  }
}

/** Minor units of the product's currency; an amount with a fault counts as none. */
function preloadOf(amount: Given['amount'], { currency }: ProductRow) {
  const none = { amount: null, faults: [] }
  if (amount === null || amount === undefined) return none
  if (typeof amount === 'bigint') return { amount, faults: [] }
  return { ...none, ...readPreload(amount, currency) }
}

/** What a change leaves as it was; minor units do not become those of another currency. */
function kept(before: BulkRow, given: BulkChanges, product: ProductRow) {
  const { card_product_id, number_of_cards, name_on_card } = { ...before, ...given }
  const other = product.currency !== before.currency
  if (other && before.amount !== null && given.amount === undefined) {
    throw invalid('amount', 'must be given again for another currency')
  }
  const amount = given.amount === undefined ? before.amount : given.amount
  return { card_product_id, number_of_cards, name_on_card, amount }
}

function announce(tx: Tx, { status }: BulkRow): void {
  if (status === 'SUBMITTED') tx.afterCommit(() => tx.notify(BULK_ISSUANCES))
}
