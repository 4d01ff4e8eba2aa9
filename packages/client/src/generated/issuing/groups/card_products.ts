/** Terms, number ranges and settings of cards. */
import { Group, path, type RequestOptions } from '../../../core/group.ts'
import type { List } from '../../../core/lists.ts'
import type {
  CardProduct,
  CreateCardProductBody,
  ListCardProductsQuery,
  UpdateCardProductBody,
  UpdateCardProductHeaders,
} from '../types.ts'

/** Terms, number ranges and settings of cards. */
export class CardProductsGroup extends Group {
  /**
   * Create a card product.
   *
   * Creates a card product with a range of card numbers and keys of its own. It is INACTIVE until
   * its first card is issued. The BIN must not overlap a BIN of another tenant, and the range must
   * not overlap that of another product.
   *
   * Errors of its own: `id_taken`, `bin_taken`, `pan_range_taken`.
   *
   * `POST /cardproducts`
   */
  create(body: CreateCardProductBody, options?: RequestOptions): Promise<CardProduct> {
    return this.transport.send('POST', '/cardproducts', { body, keyed: true }, options)
  }

  /**
   * List card products.
   *
   * Lists the card products of the tenant, newest first, in pages.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /cardproducts`
   */
  list(query?: ListCardProductsQuery, options?: RequestOptions): List<CardProduct> {
    return this.transport.list('GET', '/cardproducts', { query }, options)
  }

  /**
   * Get a card product.
   *
   * Answers one card product. Every authorization switch is included, with its value in force.
   *
   * `GET /cardproducts/{id}`
   */
  get(id: string, options?: RequestOptions): Promise<CardProduct> {
    return this.transport.send('GET', path`/cardproducts/${id}`, {}, options)
  }

  /**
   * Update a card product.
   *
   * Changes the members that are sent; `null` clears a member without a default. BIN, range and
   * currency cannot be changed once a card number has been issued.
   *
   * Errors of its own: `bin_taken`, `pan_range_taken`, `card_product_in_use`.
   *
   * `PUT /cardproducts/{id}`
   */
  update(
    id: string,
    body: UpdateCardProductBody,
    options?: RequestOptions & { headers?: UpdateCardProductHeaders },
  ): Promise<CardProduct> {
    return this.transport.send('PUT', path`/cardproducts/${id}`, { body }, options)
  }
}
