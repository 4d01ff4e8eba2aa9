/** The job that issues the cards of a request: all of them or none, and none twice (D-38). */

import { batchTerms, issueBatch } from '#issuing/cards/cards.ts'
import { reserveFunding } from '#issuing/ledger/ledger.ts'
import { requireProduct } from '#issuing/products/products.ts'
import { reserveNumbers } from '#issuing/vault/vault.ts'
import type { Tx } from '#kit/context.ts'
import { attempt } from '#kit/dry_run.ts'
import { unwrap } from '#lib/result.ts'
import { errorOf, ruleOnMove, ruleOnRequest } from './rules.ts'
import { type Begun, type BulkRow, claimDue, saveBegun, saveFailed, saveIssued } from './store.ts'

/** Cards of one transaction: so many keep the process and other transactions waiting little. */
const CARDS_A_PORTION = 100

/** Wakes the job when a request was submitted. */
export const BULK_ISSUANCES = 'bulk issuances'

/** Does one portion of the request that waits longest. False when none waits. */
export async function workOnOne(tx: Tx): Promise<boolean> {
  const bulk = await claimDue(tx)
  if (!bulk) return false
  if (bulk.status === 'SUBMITTED') await beginOrFail(tx, bulk)
  else await issuePortion(tx, bulk)
  return true
}

/** What must be known of a request to take what it needs; `amount` in minor units. */
type Needs = Pick<BulkRow, 'id' | 'card_product_id' | 'number_of_cards' | 'amount' | 'currency'>

/**
 * Takes the numbers of all cards from their range and holds their money, so that nothing can be
 * refused any more. Refuses with `insufficient_funds` and `pan_range_exhausted`, telling what is
 * needed and what is available, and with 400 on what does not fit the product (any more).
 */
export async function takeAll(tx: Tx, request: Needs): Promise<Begun> {
  const { id, number_of_cards, currency } = request
  const product = await requireProduct(tx, request.card_product_id)
  unwrap(ruleOnRequest(request, product))
  if (request.amount !== null) {
    const amount = request.amount * BigInt(number_of_cards)
    await reserveFunding(tx, { id, currency, amount })
  }
  const first_number = await reserveNumbers(tx, product.id, number_of_cards)
  return { first_number, terms: batchTerms(product, tx.now) }
}

async function beginOrFail(tx: Tx, bulk: BulkRow): Promise<void> {
  const refusal = await attempt(tx, async () => {
    unwrap(ruleOnMove(bulk.status, 'PROCESSING', 'job'))
    await saveBegun(tx, bulk.id, await takeAll(tx, bulk))
  })
  if (!refusal) return
  unwrap(ruleOnMove(bulk.status, 'FAILED', 'job'))
  await saveFailed(tx, bulk, errorOf(refusal))
}

async function issuePortion(tx: Tx, bulk: BulkRow): Promise<void> {
  const { first_number, terms, issued_cards, number_of_cards, amount } = bulk
  if (first_number === null || terms === null) throw new Error(`${bulk.id} has not begun`)
  const count = Math.min(CARDS_A_PORTION, number_of_cards - issued_cards)
  const over = issued_cards + count === number_of_cards
  unwrap(ruleOnMove(bulk.status, over ? 'COMPLETED' : 'PROCESSING', 'job'))
  await saveIssued(tx, bulk, count)
  await issueBatch(tx, {
    ...bulk,
    bulk_issuance_id: bulk.id,
    terms,
    count,
    first_number: first_number + BigInt(issued_cards),
    preload: amount,
  })
}
