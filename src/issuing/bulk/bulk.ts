/** Public functions of bulk issuance: one request, many cards without a user (D-38). */

import { checkNameOnCard } from '#issuing/cards/cards.ts'
import { requirePreloadWithinLimits } from '#issuing/limits/limits.ts'
import { type ProductRow, requireProduct } from '#issuing/products/products.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { rehearse } from '#kit/db/savepoints.ts'
import { invalid } from '#kit/http/answers/problems.ts'
import { listPage } from '#kit/http/lists.ts'
import { newId } from '#lib/id.ts'
import type { Page } from '#lib/paging.ts'
import { ApiError, ok, type Result, unwrap } from '#lib/result.ts'
import { BULK_ISSUANCES, takeAll } from './job.ts'
import { readPreload } from './present.ts'
import { checkMove, checkRequest } from './rules.ts'
import type { BulkChanges, BulkQuery, NewBulkIssuance } from './schema.ts'
import {
  type BulkRequest,
  type BulkRow,
  findBulk,
  insertBulk,
  listBulks,
  lockBulk,
  updateBulk,
} from './store.ts'

export { auditBulkIssuances } from './audit.ts'
export { type BulkRow, bulkDue } from './store.ts'

/**
 * Creates a bulk issuance, which the job issues at once unless it is a DRAFT. Fails with 400 on a
 * product that does not exist, on another currency than the product's and on an amount for cards
 * without an account, and with 409 if a balance limit of the product does not permit the amount.
 */
export function createBulkIssuance(
  ctx: Context | Tx,
  { id: chosen = newId(), ...input }: NewBulkIssuance,
): Promise<BulkRow> {
  return transact(ctx, async (tx) => {
    const product = await requireProduct(tx, input.card_product_id)
    const request = requestOf(input, product)
    await requirePreloadWithinLimits(tx, product, request.amount)
    const bulk = await insertBulk(tx, chosen.toLowerCase(), request)
    if (!bulk) throw new ApiError('id_taken')
    notifyJob(tx, bulk)
    return bulk
  })
}

/**
 * Checks a request without an effect (D-38, D-117): numbers and funds are reserved as the job would
 * reserve them, then rolled back. Fails also with `pan_range_exhausted` and `insufficient_funds`,
 * with the needed and the available number in the error.
 */
export function dryRunBulkIssuance(
  ctx: Context | Tx,
  input: NewBulkIssuance,
): Promise<BulkRequest> {
  return rehearse(ctx, true, async (tx) => {
    const product = await requireProduct(tx, input.card_product_id)
    const request = requestOf(input, product)
    await takeAll(tx, { id: newId(), ...request })
    return request
  })
}

/** A bulk issuance of the tenant. */
export async function findBulkIssuance(ctx: Context | Tx, id: string): Promise<BulkRow> {
  const bulk = await findBulk(ctx, id)
  if (!bulk) throw new ApiError('not_found')
  return bulk
}

/** Newest first. */
export function listBulkIssuances(ctx: Context, query: BulkQuery): Promise<Page<BulkRow>> {
  return listPage('bulks', query, (range) => listBulks(ctx, range))
}

/**
 * Changes a DRAFT, and submits it with the status SUBMITTED. Fails with
 * `bulk_issuance_move_refused` in any other status and for any other move, otherwise as at
 * creation.
 */
export function updateBulkIssuance(
  ctx: Context | Tx,
  id: string,
  { status = 'DRAFT', ...changes }: BulkChanges,
): Promise<BulkRow> {
  return transact(ctx, async (tx) => {
    const before = await lockBulk(tx, id)
    if (!before) throw new ApiError('not_found')
    const moved = unwrap(checkMove(before.status, status, 'client'))
    const product = await requireProduct(tx, changes.card_product_id ?? before.card_product_id)
    const request = requestOf({ ...changes, ...merged(before, changes, product) }, product)
    await requirePreloadWithinLimits(tx, product, request.amount)
    const to = moved === 'SUBMITTED' ? moved : 'DRAFT'
    const bulk = await updateBulk(tx, before.id, { ...request, status: to })
    notifyJob(tx, bulk)
    return bulk
  })
}

type RequestInput = Omit<NewBulkIssuance, 'amount' | 'name_on_card'> & {
  amount?: number | string | bigint | null | undefined
  name_on_card?: string | null | undefined
}

function requestOf(input: RequestInput, product: ProductRow): BulkRequest {
  const { currency = product.currency, amount = null, name_on_card = null } = input
  const { status = 'SUBMITTED', number_of_cards } = input
  const preload = preloadOf(amount, product)
  const result = checkRequest({ currency, amount: preload.amount }, product)
  const name: Result<string | null, 'validation_failed'> =
    name_on_card === null ? ok(null) : checkNameOnCard(name_on_card, 'PHYSICAL')
  const checked = [result, name].flatMap((each) => (each.ok ? [] : (each.errors ?? [])))
  const errors = [...preload.faults, ...checked]
  if (errors.length > 0) throw new ApiError('validation_failed', { errors })
  const card_product_id = product.id
  return {
    status,
    card_product_id,
    number_of_cards,
    amount: preload.amount,
    currency,
    name_on_card: unwrap(name),
  }
}

/** Minor units of the product's currency; an amount with a fault counts as none. */
function preloadOf(amount: RequestInput['amount'], { currency }: ProductRow) {
  const none = { amount: null, faults: [] }
  if (amount === null || amount === undefined) return none
  if (typeof amount === 'bigint') return { amount, faults: [] }
  return { ...none, ...readPreload(amount, currency) }
}

/** The request after a change; minor units are not carried over to another currency. */
function merged(before: BulkRow, changes: BulkChanges, product: ProductRow) {
  const { card_product_id, number_of_cards, name_on_card } = { ...before, ...changes }
  const other = product.currency !== before.currency
  if (other && before.amount !== null && changes.amount === undefined) {
    throw invalid('amount', 'must be sent again for another currency')
  }
  const amount = changes.amount === undefined ? before.amount : changes.amount
  return { card_product_id, number_of_cards, name_on_card, amount }
}

function notifyJob(tx: Tx, { status }: BulkRow): void {
  if (status === 'SUBMITTED') tx.afterCommit(() => tx.notify(BULK_ISSUANCES, tx.tenant_id))
}
