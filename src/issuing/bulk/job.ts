/** The job that issues the cards of a request: all of them or none, and none twice (D-38). */

import { batchTerms, issueBatch } from '#issuing/cards/cards.ts'
import { reserveFunding } from '#issuing/ledger/ledger.ts'
import { requirePreloadWithinLimits } from '#issuing/limits/limits.ts'
import { requireProduct } from '#issuing/products/products.ts'
import { reserveNumbers } from '#issuing/vault/vault.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { attempt } from '#kit/db/savepoints.ts'
import { unwrap } from '#lib/result.ts'
import { checkMove, checkRequest, errorOf } from './rules.ts'
import {
  type Begun,
  type BulkRow,
  lockDueBulk,
  updateBulkBegun,
  updateBulkDue,
  updateBulkFailed,
  updateBulkIssued,
} from './store.ts'

/** Cards of one transaction: a small batch delays other transactions little. */
const CARDS_A_PORTION = 100

/** The channel that notifies the job of a submitted request. */
export const BULK_ISSUANCES = 'bulk issuances'

/** A request whose portion failed comes again after this: others are worked on meanwhile. */
const AGAIN_MS = 5_000

/** Does one portion of the request that is due longest. False when none is due. */
export async function workOnOne(ctx: Context): Promise<boolean> {
  let id: string | undefined
  try {
    return await transact(ctx, async (tx) => {
      const bulk = await lockDueBulk(tx)
      id = bulk?.id
      if (bulk?.status === 'SUBMITTED') await beginOrFail(tx, bulk)
      else if (bulk) await issuePortion(tx, bulk)
      return bulk !== undefined
    })
  } catch (error) {
    const again = new Date(ctx.now.getTime() + AGAIN_MS)
    const failed = id
    // If that fails too, it is due as before.
    if (failed) await transact(ctx, (tx) => updateBulkDue(tx, failed, again)).catch(() => {})
    throw error
  }
}

/** The members of a request that its reservation depends on; `amount` in minor units. */
type Needs = Pick<BulkRow, 'id' | 'card_product_id' | 'number_of_cards' | 'amount' | 'currency'>

/**
 * Reserves the numbers and the funds of all cards, so that no later portion can fail. Fails with
 * `insufficient_funds` and `pan_range_exhausted`, with the needed and the available number in the
 * error, and with 400 on members that do not fit the product (any more).
 */
export async function takeAll(tx: Tx, request: Needs): Promise<Begun> {
  const { id, number_of_cards, currency } = request
  const product = await requireProduct(tx, request.card_product_id)
  unwrap(checkRequest(request, product))
  await requirePreloadWithinLimits(tx, product, request.amount)
  const first_number = await reserveNumbers(tx, product.id, number_of_cards)
  // Last: a product whose numbers are locked must not hold up the loads of the currency (D-935).
  if (request.amount !== null) {
    const amount = request.amount * BigInt(number_of_cards)
    await reserveFunding(tx, { id, currency, amount })
  }
  return { first_number, terms: batchTerms(product, tx.now) }
}

async function beginOrFail(tx: Tx, bulk: BulkRow): Promise<void> {
  const error = await attempt(tx, async () => {
    unwrap(checkMove(bulk.status, 'PROCESSING', 'job'))
    await updateBulkBegun(tx, bulk.id, await takeAll(tx, bulk))
  })
  if (!error) return
  unwrap(checkMove(bulk.status, 'FAILED', 'job'))
  await updateBulkFailed(tx, bulk, errorOf(error))
}

async function issuePortion(tx: Tx, bulk: BulkRow): Promise<void> {
  const { first_number, terms, issued_cards, number_of_cards, amount } = bulk
  if (first_number === null || terms === null) throw new Error(`${bulk.id} has not begun`)
  const count = Math.min(CARDS_A_PORTION, number_of_cards - issued_cards)
  const over = issued_cards + count === number_of_cards
  unwrap(checkMove(bulk.status, over ? 'COMPLETED' : 'PROCESSING', 'job'))
  await updateBulkIssued(tx, bulk, count)
  await issueBatch(tx, {
    ...bulk,
    bulk_issuance_id: bulk.id,
    terms,
    count,
    first_number: first_number + BigInt(issued_cards),
    preload: amount,
  })
}
