/**
 * Places in the ranges of card numbers that this process has claimed ahead (D-394): while there are
 * some, a new card does not lock the range of its product. They are lost when the process ends.
 */

import type { Tx } from '#kit/context.ts'
import type { Keyring } from '#kit/keys/keyring.ts'
import { claimPlaces, type Range, type TakenNumbers } from './store.ts'

/** The most places that one statement claims beside the one that it needs. */
const AHEAD_MAX = 32
/** A claim takes twice as many as the one before it where those did not last so long. */
const LASTING_MS = 1_000
/** The most products with places in memory; cards of others claim one by one. */
const PRODUCTS_MAX = 1_000

/** The place of one number; `claimed`: before this transaction, so it outlasts its failure. */
export type Place = Range & { position: bigint; claimed: boolean }

type Ahead = { places: Place[]; count: number; since: number }

/** By tenant and product. A process has one keyring. */
const known = new WeakMap<Keyring, Map<string, Ahead>>()

/**
 * Takes one place of the product's range: one that was claimed ahead, or a new one, with some ahead
 * that others may take once this transaction is committed. Undefined when none is left. A place
 * that stays unused goes to `returnPlace`.
 */
export async function takePlace(tx: Tx, card_product_id: string): Promise<Place | undefined> {
  const ahead = aheadOf(tx, card_product_id)
  const place = ahead?.places.pop()
  if (place) return place
  const taken = await claimPlaces(tx, card_product_id, ahead ? demandOf(ahead) : 0)
  if (!taken) return undefined
  const [own, ...others] = placesOf(taken)
  tx.afterCommit(() => ahead?.places.push(...others.map((one) => ({ ...one, claimed: true }))))
  return own
}

/** For a place whose card was not written. One that this transaction has claimed is rolled back. */
export function returnPlace(tx: Tx, place: Place): void {
  if (place.claimed) aheadOf(tx, place.card_product_id)?.places.push(place)
}

function aheadOf({ keys, tenant_id }: Tx, card_product_id: string): Ahead | undefined {
  const products = known.get(keys) ?? new Map<string, Ahead>()
  known.set(keys, products)
  const name = `${tenant_id}:${card_product_id}`
  const found = products.get(name)
  if (found || products.size >= PRODUCTS_MAX) return found
  const made = { places: [], count: 0, since: Number.NEGATIVE_INFINITY }
  products.set(name, made)
  return made
}

function demandOf(ahead: Ahead): number {
  const now = performance.now()
  const lasted = now - ahead.since >= LASTING_MS
  ahead.count = lasted ? 0 : Math.min(AHEAD_MAX, Math.max(1, 2 * ahead.count))
  ahead.since = now
  return ahead.count
}

function placesOf({ next, count, ...range }: TakenNumbers & { count: bigint }): Place[] {
  return Array.from({ length: Number(count) }, (_, at) => ({
    ...{ ...range, position: next + BigInt(at), claimed: false },
  }))
}
