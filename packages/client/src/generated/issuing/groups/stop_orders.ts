/** Merchants whose recurring payments are declined. */
import { Group, path, type RequestOptions } from '../../../core/group.ts'
import type { List } from '../../../core/lists.ts'
import type {
  CreateStopOrderBody,
  Deleted,
  DeleteStopOrderHeaders,
  ListStopOrdersQuery,
  StopOrder,
} from '../types.ts'

/** Merchants whose recurring payments are declined. */
export class StopOrdersGroup extends Group {
  /**
   * Stop recurring payments of a merchant.
   *
   * Stops the recurring payments of a merchant: they are declined with 1895. The order holds for the
   * card, for the cards that it replaces and for those that replace it: one for a merchant
   * (`stop_order_exists`), at most 1,000 of all of them.
   *
   * Errors of its own: `id_taken`, `stop_order_exists`, `stop_orders_reached`.
   *
   * `POST /cards/{id}/stoporders`
   */
  create(id: string, body: CreateStopOrderBody, options?: RequestOptions): Promise<StopOrder> {
    return this.transport.send(
      'POST',
      path`/cards/${id}/stoporders`,
      { body, keyed: true },
      options,
    )
  }

  /**
   * List the stop orders of a card.
   *
   * Lists the stop orders that hold for a card, newest first, in pages.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /cards/{id}/stoporders`
   */
  list(id: string, query?: ListStopOrdersQuery, options?: RequestOptions): List<StopOrder> {
    return this.transport.list('GET', path`/cards/${id}/stoporders`, { query }, options)
  }

  /**
   * Get a stop order.
   *
   * Answers one stop order that holds for the card.
   *
   * `GET /cards/{id}/stoporders/{stop_order_id}`
   */
  get(id: string, stop_order_id: string, options?: RequestOptions): Promise<StopOrder> {
    return this.transport.send('GET', path`/cards/${id}/stoporders/${stop_order_id}`, {}, options)
  }

  /**
   * Delete a stop order.
   *
   * Deletes a stop order. Recurring payments of the merchant are checked like all others again.
   *
   * `DELETE /cards/{id}/stoporders/{stop_order_id}`
   */
  delete(
    id: string,
    stop_order_id: string,
    options?: RequestOptions & { headers?: DeleteStopOrderHeaders },
  ): Promise<Deleted> {
    return this.transport.send(
      'DELETE',
      path`/cards/${id}/stoporders/${stop_order_id}`,
      {},
      options,
    )
  }
}
