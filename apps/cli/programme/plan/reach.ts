/** How many cards a change is about. */

import type { Api } from '../../kit/api.ts'
import type { Members } from '../../kit/values.ts'
import { LIMITS, LISTS } from '../kinds.ts'
import type { State, Stored } from '../platform/state.ts'
import type { Action } from './plan.ts'

/** More cards of a product are not counted: each page of 200 is a request. */
const CARDS_MAX = 10_000

export type Reach = { products: readonly string[]; cards: number; has_more: boolean }

/**
 * Products with existing cards that the action is about: itself, or those that name the list or the
 * limit on the platform. Undefined for settings, webhooks and what is new.
 */
export function productsOf({ section, name, stored }: Action, state: State): Stored[] | undefined {
  if (stored === undefined || section === 'webhooks' || section === 'settings') return undefined
  if (section === 'card_products') return [stored]
  const products = state.stored.get('card_products') ?? []
  return products.filter(({ entry }) => namesIn(entry).has(`${section} ${name}`))
}

function namesIn(product: Members): Set<string> {
  return new Set(
    [...LISTS, ...LIMITS].flatMap((section) =>
      [product[section] ?? []].flat().map((name) => `${section} ${name}`),
    ),
  )
}

/** Cards that are not TERMINATED. Those of a product are counted once. */
export class CardCounter {
  readonly #api: Api
  readonly #counts = new Map<string, number>()

  constructor(api: Api) {
    this.#api = api
  }

  async reachOf(products: readonly Stored[]): Promise<Reach> {
    let cards = 0
    for (const { id } of products) cards += await this.#count(id)
    return {
      products: products.map(({ name }) => name),
      cards: Math.min(cards, CARDS_MAX),
      has_more: cards > CARDS_MAX,
    }
  }

  async #count(card_product_id: string): Promise<number> {
    const known = this.#counts.get(card_product_id)
    if (known !== undefined) return known
    let count = 0
    for await (const { status } of this.#api.list('/cards', { card_product_id })) {
      if (status !== 'TERMINATED') count += 1
      if (count > CARDS_MAX) break
    }
    this.#counts.set(card_product_id, count)
    return count
  }
}
