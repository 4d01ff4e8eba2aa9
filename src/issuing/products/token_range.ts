/** Opens the number range of a product's wallet tokens when it is first needed (D-39). */

import { randomInt } from 'node:crypto'
import { bodyLength, createRange } from '#issuing/vault/vault.ts'
import type { Tx } from '#kit/context.ts'
import { ApiError } from '#lib/result.ts'
import { TOKEN_BINS, tokenBin } from './rules/token_bin.ts'
import {
  insertBin,
  isBinTaken,
  lockBins,
  lockProductForTokens,
  type ProductRow,
  updateTokenBin,
} from './store.ts'

/** If half of all BINs of a first digit are taken, this many draws fail once in 2^32. */
const DRAWS_MAX = 32

/**
 * Ensures that the product has a range for the numbers of its tokens, also with concurrent callers.
 * Its BIN overlaps no other, also none of the tenant. Fails with `pan_range_exhausted` when no BIN
 * is found.
 */
export async function openTokenRange(tx: Tx, { id, token_bin }: ProductRow): Promise<void> {
  if (token_bin !== null) return
  const product = await lockProductForTokens(tx, id)
  if (!product) throw new Error(`no card product ${id}`)
  if (product.token_bin !== null) return
  const bin = await claimTokenBin(tx, product.bin)
  await insertBin(tx, bin)
  await updateTokenBin(tx, id, bin)
  const range_end = 10n ** BigInt(bodyLength(bin)) - 1n
  await createRange(tx, { card_product_id: id, bin, range_start: 0n, range_end }, 'TOKEN')
}

/** Checks first without the lock, so that usually only one BIN is locked. */
async function claimTokenBin(tx: Tx, product_bin: string): Promise<string> {
  for (let draws = 0; draws < DRAWS_MAX; draws++) {
    const bin = tokenBin(product_bin, randomInt(TOKEN_BINS))
    if (await isBinTaken(tx, bin)) continue
    await lockBins(tx, [bin])
    if (!(await isBinTaken(tx, bin))) return bin
  }
  throw new ApiError('pan_range_exhausted')
}
