/** Payment pages for orders. */
import { Group, type RequestOptions } from '../../../core/group.ts'

import type { Checkout, CreateCheckoutBody } from '../types.ts'

/** Payment pages for orders. */
export class CheckoutsGroup extends Group {
  /**
   * Create a checkout.
   *
   * Creates a checkout and returns the request with `checkout_url`, the payment page to which the
   * merchant sends the customer. A reference is unique per merchant: an unpaid checkout of the same
   * reference is superseded, and a reference that has an order is a validation error. Fails with
   * `payment_in_progress` while a payment of the reference is under way or its outcome is unknown. A
   * checkout expires 24 hours after its creation; its payment creates the order and sends
   * `ORDER_AUTHORIZED`. An optional member may be absent, null, empty, `[]` or `false`.
   *
   * Errors of its own: `payment_in_progress`.
   *
   * `POST /checkouts`
   */
  create(body: CreateCheckoutBody, options?: RequestOptions): Promise<Checkout> {
    return this.transport.send('POST', '/checkouts', { body, keyed: true }, options)
  }
}
