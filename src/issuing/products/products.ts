/** Public functions of card products: the terms under which cards are issued (D-29). */

import { faultsOfLists } from '#issuing/lists/lists.ts'
import {
  bodyLength,
  createKeySet,
  createRange,
  moveRange,
  numbersTaken,
} from '#issuing/vault/vault.ts'
import type { Context, Tx } from '#kit/context.ts'
import { transact } from '#kit/context.ts'
import type { Write } from '#kit/db/write.ts'
import { invalid } from '#kit/http/answers/problems.ts'
import { listPage } from '#kit/http/lists.ts'
import type { ListQuery } from '#kit/http/schema.ts'
import { newId } from '#lib/id.ts'
import type { Page } from '#lib/paging.ts'
import { allOf } from '#lib/promises.ts'
import { ApiError, unwrap } from '#lib/result.ts'
import { checkNewTerms, checkTerms, type ProductTerms } from './rules/terms.ts'
import type { NewProduct, ProductChanges } from './schema.ts'
import {
  deleteBinUnlessUsed,
  findOverlap,
  findProductRow,
  insertBin,
  insertProduct,
  isBinOfAnother,
  listProductRows,
  lockBins,
  lockProduct,
  lockProductShared,
  type ProductRow,
  updateProductActive,
  updateTerms,
} from './store.ts'

export { mergeAuthSettings, presentStoredAuthSettings } from './rules/settings.ts'
export { emvInForce, pinRules } from './rules/terms.ts'
export type { ProductRow } from './store.ts'
export { openTokenRange } from './token_range.ts'

/**
 * Creates a product, INACTIVE until its first card, with its range of numbers and its keys. Fails
 * with `id_taken`, `bin_taken` (another tenant has numbers under that BIN) and `pan_range_taken`
 * (another product of the tenant has numbers of that range).
 */
export function createProduct(
  ctx: Context | Tx,
  { id: chosen = newId(), ...input }: NewProduct,
): Promise<ProductRow> {
  const id = chosen.toLowerCase()
  return transact(ctx, async (tx) => {
    const terms = unwrap(checkNewTerms(input, bodyLength, await faultsOfLists(tx, input)))
    await lockBins(tx, [terms.bin])
    await claimNumbers(tx, id, terms)
    const product = await insertProduct(tx, id, terms)
    if (!product) throw new ApiError('id_taken')
    await createRange(tx, rangeOf(id, terms))
    await createKeySet(tx, id)
    return product
  })
}

/** A product of the tenant. */
export async function findProduct(ctx: Context | Tx, id: string): Promise<ProductRow> {
  const product = await findProductRow(ctx, id)
  if (!product) throw new ApiError('not_found')
  return product
}

/** Newest first. */
export function listProducts(ctx: Context, query: ListQuery): Promise<Page<ProductRow>> {
  return listPage('products', query, (range) => listProductRows(ctx, range))
}

/**
 * Changes what is sent and nothing else. BIN, range and currency cannot change once a number is
 * taken: fails with `card_product_in_use`.
 */
export function updateProduct(
  ctx: Context | Tx,
  id: string,
  input: ProductChanges,
): Promise<ProductRow> {
  return transact(ctx, async (tx) => {
    const before = await lockProduct(tx, id)
    if (!before) throw new ApiError('not_found')
    const changes = unwrap(checkTerms(before, input, bodyLength, await faultsOfLists(tx, input)))
    const terms = { ...before, ...changes }

    if (isOfOtherNumbers(before, terms)) {
      if ((await numbersTaken(tx, id)) > 0n) throw new ApiError('card_product_in_use', inUse)
      await lockBins(tx, [before.bin, terms.bin])
      await claimNumbers(tx, id, terms)
      await moveRange(tx, rangeOf(id, terms))
    }
    const after = await updateTerms(tx, id, changes)
    if (after.bin !== before.bin) await deleteBinUnlessUsed(tx, before.bin)
    return after
  })
}

/**
 * The product that a card is issued under; its terms cannot change until the transaction ends.
 * Fails with 400 on `card_product_id` when the tenant has none of this id (D-114).
 */
export async function requireProduct(tx: Tx, id: string): Promise<ProductRow> {
  return existingProduct(await lockProductShared(tx, id))
}

/** Several products, by the given ids; undefined for one that is missing. */
export async function keepProducts(
  tx: Tx,
  ids: readonly string[],
): Promise<Map<string, ProductRow | undefined>> {
  // Sent together, in the order of their locks.
  const sorted = [...new Set(ids)].sort()
  const products = await allOf(sorted.map((id) => lockProductShared(tx, id)))
  return new Map(sorted.map((id, at) => [id, products[at]]))
}

/** Fails as requireProduct. */
export function existingProduct(product: ProductRow | undefined): ProductRow {
  if (!product) throw invalid('card_product_id', 'does not exist')
  return product
}

/** The first card of a product makes it ACTIVE. */
export const markProductActive = (tx: Tx, id: string): Write => updateProductActive(tx, id)

const inUse = { detail: 'BIN, range and currency cannot change once a card number was issued.' }

async function claimNumbers(tx: Tx, id: string, terms: ProductTerms): Promise<void> {
  if (await isBinOfAnother(tx, terms.bin)) throw new ApiError('bin_taken')
  const other = await findOverlap(tx, id, terms)
  if (other !== undefined) {
    throw new ApiError('pan_range_taken', { detail: `The product ${other} has these numbers.` })
  }
  await insertBin(tx, terms.bin)
}

function isOfOtherNumbers(before: ProductTerms, after: ProductTerms): boolean {
  const fixed = ['currency', 'bin', 'pan_range_start', 'pan_range_end'] as const
  return fixed.some((name) => before[name] !== after[name])
}

const rangeOf = (card_product_id: string, terms: ProductTerms) => ({
  card_product_id,
  bin: terms.bin,
  range_start: BigInt(terms.pan_range_start),
  range_end: BigInt(terms.pan_range_end),
})
