/** Every group of the document, and what its requests need. */
import type { Transport } from '../../core/transport.ts'
import { AuthenticationGroup } from './groups/authentication.ts'
import { CheckoutsGroup } from './groups/checkouts.ts'
import { DisputesGroup } from './groups/disputes.ts'
import { KeptCardsGroup } from './groups/kept_cards.ts'
import { OrdersGroup } from './groups/orders.ts'
import { PayoutsGroup } from './groups/payouts.ts'
import { WebhooksGroup } from './groups/webhooks.ts'

export const api = {
  prefix: '/api/v1.0',
  idempotencyHeader: 'idempotency-key',
  sessionCookie: 'bezant_session',
}

export class Groups {
  /** Access tokens of a merchant. */
  readonly authentication: AuthenticationGroup
  /** Payment pages for orders. */
  readonly checkouts: CheckoutsGroup
  /** Paid orders: retrieve, capture and refund. */
  readonly orders: OrdersGroup
  /** Cards that customers let a merchant keep. */
  readonly keptCards: KeptCardsGroup
  /** Orders that cardholders contest. */
  readonly disputes: DisputesGroup
  /** Fees, the statement, and what is paid out. */
  readonly payouts: PayoutsGroup
  /** Endpoints of the merchant and the deliveries to them. */
  readonly webhooks: WebhooksGroup

  constructor(transport: Transport) {
    this.authentication = new AuthenticationGroup(transport)
    this.checkouts = new CheckoutsGroup(transport)
    this.orders = new OrdersGroup(transport)
    this.keptCards = new KeptCardsGroup(transport)
    this.disputes = new DisputesGroup(transport)
    this.payouts = new PayoutsGroup(transport)
    this.webhooks = new WebhooksGroup(transport)
  }
}
