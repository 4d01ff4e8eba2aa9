/** Cards that customers let a merchant keep. */
import { Group, path, type RequestOptions } from '../../../core/group.ts'
import type { List } from '../../../core/lists.ts'
import type {
  DeleteKeptCardAnswer,
  DeleteKeptCardHeaders,
  KeptCard,
  KeptPayment,
  ListKeptCardsQuery,
  PayWithKeptCardBody,
} from '../types.ts'

/** Cards that customers let a merchant keep. */
export class KeptCardsGroup extends Group {
  /**
   * List kept cards.
   *
   * Lists the cards that customers let the merchant keep, newest first, without their numbers. A
   * customer agrees on the payment page of a checkout that names the customer in
   * `order.customer.reference`; the card is kept once the payment is approved.
   *
   * `GET /kept-cards`
   */
  list(query?: ListKeptCardsQuery, options?: RequestOptions): List<KeptCard> {
    return this.transport.list('GET', '/kept-cards', { query }, options)
  }

  /**
   * Get a kept card.
   *
   * Returns one kept card of the merchant, without its number.
   *
   * `GET /kept-cards/{id}`
   */
  get(id: string, options?: RequestOptions): Promise<KeptCard> {
    return this.transport.send('GET', path`/kept-cards/${id}`, {}, options)
  }

  /**
   * Delete a kept card.
   *
   * Deletes a kept card and its sealed number for good. No payment begins with it afterwards. Orders
   * that it paid can still be captured and refunded.
   *
   * Errors of its own: `changed_meanwhile`.
   *
   * `DELETE /kept-cards/{id}`
   */
  delete(
    id: string,
    options?: RequestOptions & { headers?: DeleteKeptCardHeaders },
  ): Promise<DeleteKeptCardAnswer> {
    return this.transport.send('DELETE', path`/kept-cards/${id}`, {}, options)
  }

  /**
   * Pay with a kept card.
   *
   * Pays with a kept card, without the customer: a subscription, or a sum that was agreed on. The
   * issuer gets it as recurring, without a security code. A success makes the order, which is
   * captured and refunded as any other, and sends `ORDER_AUTHORIZED`; a decline has the status
   * `FAILURE` and makes none. A reference is unique per merchant together with checkouts: an unpaid
   * checkout of it is superseded. Fails with `kept_cards_off` if the merchant may not keep cards,
   * with `payment_in_progress` while another payment of the reference is under way, and with
   * `outcome_unknown` when the outcome is not known within 30 seconds: repeat the request with the
   * same `Idempotency-Key`.
   *
   * Errors of its own: `kept_cards_off`, `payment_in_progress`, `outcome_unknown`.
   *
   * `POST /kept-cards/{id}/payments`
   */
  payWithKeptCard(
    id: string,
    body: PayWithKeptCardBody,
    options?: RequestOptions,
  ): Promise<KeptPayment> {
    return this.transport.send(
      'POST',
      path`/kept-cards/${id}/payments`,
      { body, keyed: true },
      options,
    )
  }
}
