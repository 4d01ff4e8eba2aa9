/** The outside world in the sandbox: network, clock, embosser. */
import { Group, path, type RequestOptions } from '../../../core/group.ts'
import type { List } from '../../../core/lists.ts'
import type {
  AnsweredResponderRequest,
  AnswerResponderRequestBody,
  Card,
  Clock,
  ClockMoved,
  CreateWebhookReceiverBody,
  DeleteWebhookReceiverAnswer,
  DeleteWebhookReceiverHeaders,
  Dispute,
  InstalledKeys,
  InstallTestKeysBody,
  InstallTestKeysHeaders,
  KycRequest,
  ListReceivedRequestsQuery,
  ListResponderRequestsQuery,
  ListWebhookReceiversQuery,
  MoveClockBody,
  ReceivedRequest,
  ResponderRequests,
  SimulateArbitrationBody,
  SimulateArbitrationHeaders,
  SimulateAuthorizationAnswer,
  SimulateAuthorizationBody,
  SimulateAuthorizationQuery,
  SimulateClearingBody,
  SimulateClearingHeaders,
  SimulateDeliveryHeaders,
  SimulateEmbossingHeaders,
  SimulateFailedDeliveryHeaders,
  SimulateIdentityReportBody,
  SimulateIncrementBody,
  SimulateIncrementHeaders,
  SimulateKycResultBody,
  SimulateLostDisputeBody,
  SimulateLostDisputeHeaders,
  SimulateRefundBody,
  SimulateRepresentmentBody,
  SimulateRepresentmentHeaders,
  SimulateReversalBody,
  SimulateReversalHeaders,
  SimulateShipmentBody,
  SimulateShipmentHeaders,
  SimulateWonDisputeBody,
  SimulateWonDisputeHeaders,
  Transaction,
  UpdateWebhookReceiverBody,
  UpdateWebhookReceiverHeaders,
  User,
  WebhookReceiver,
} from '../types.ts'

/** The outside world in the sandbox: network, clock, embosser. */
export class SimulationGroup extends Group {
  /**
   * Install test keys for a card product.
   *
   * Replaces keys of a card product with known test keys and answers their check values. Keys that
   * are left out are unchanged. Existing cards use the new keys at once; after a change of `pvk` or
   * `pvki` a PIN that was set before does not verify. Sandbox only.
   *
   * `PUT /simulate/cardproducts/{id}/keys`
   */
  installTestKeys(
    id: string,
    body: InstallTestKeysBody,
    options?: RequestOptions & { headers?: InstallTestKeysHeaders },
  ): Promise<InstalledKeys> {
    return this.transport.send('PUT', path`/simulate/cardproducts/${id}/keys`, { body }, options)
  }

  /**
   * Get the clock of the tenant.
   *
   * Returns the present time on the clock of the tenant. Exists in sandbox only.
   *
   * `GET /simulate/clock`
   */
  getClock(options?: RequestOptions): Promise<Clock> {
    return this.transport.send('GET', '/simulate/clock', {}, options)
  }

  /**
   * Move the clock of the tenant.
   *
   * Moves the clock of the tenant forward, to an instant or by a duration. Jobs that become due run
   * before the answer, which waits up to 10 seconds for them, and 2 for calls of other systems. Jobs
   * that still run then are named in `running`. The clock cannot move backwards (`clock_backwards`)
   * or more than 100 years ahead of real time. Exists in sandbox only.
   *
   * Errors of its own: `clock_backwards`.
   *
   * `PUT /simulate/clock`
   */
  moveClock(body: MoveClockBody, options?: RequestOptions): Promise<ClockMoved> {
    return this.transport.send('PUT', '/simulate/clock', { body }, options)
  }

  /**
   * Simulate the order of a card.
   *
   * Orders a card that is CREATED from the simulated bureau at once, in a batch of its own, instead
   * of at the `card_order_hour` of the tenant: the card becomes ORDERED. Sends
   * CARD_DELIVERY_STATUS_CHANGED. Exists in sandbox only.
   *
   * Errors of its own: `card_terminated`, `fulfillment_move_refused`.
   *
   * `POST /simulate/cards/{id}:emboss`
   */
  embossing(
    id: string,
    options?: RequestOptions & { headers?: SimulateEmbossingHeaders },
  ): Promise<Card> {
    return this.transport.send('POST', path`/simulate/cards/${id}:emboss`, { keyed: true }, options)
  }

  /**
   * Simulate the shipment of a card.
   *
   * Moves a card from ORDERED to SHIPPED and records its courier. Sends
   * CARD_DELIVERY_PARTNER_ASSIGNED and CARD_DELIVERY_STATUS_CHANGED. Exists in sandbox only.
   *
   * Errors of its own: `card_terminated`, `fulfillment_move_refused`.
   *
   * `POST /simulate/cards/{id}:ship`
   */
  shipment(
    id: string,
    body: SimulateShipmentBody,
    options?: RequestOptions & { headers?: SimulateShipmentHeaders },
  ): Promise<Card> {
    return this.transport.send(
      'POST',
      path`/simulate/cards/${id}:ship`,
      { body, keyed: true },
      options,
    )
  }

  /**
   * Simulate the delivery of a card.
   *
   * Moves a card from SHIPPED to DELIVERED. Sends CARD_DELIVERY_STATUS_CHANGED. Exists in sandbox
   * only.
   *
   * Errors of its own: `card_terminated`, `fulfillment_move_refused`.
   *
   * `POST /simulate/cards/{id}:deliver`
   */
  delivery(
    id: string,
    options?: RequestOptions & { headers?: SimulateDeliveryHeaders },
  ): Promise<Card> {
    return this.transport.send(
      'POST',
      path`/simulate/cards/${id}:deliver`,
      { keyed: true },
      options,
    )
  }

  /**
   * Simulate a failed delivery.
   *
   * Moves a card from ORDERED or SHIPPED to FAILED. Sends CARD_DELIVERY_STATUS_CHANGED. Exists in
   * sandbox only.
   *
   * Errors of its own: `card_terminated`, `fulfillment_move_refused`.
   *
   * `POST /simulate/cards/{id}:failDelivery`
   */
  failedDelivery(
    id: string,
    options?: RequestOptions & { headers?: SimulateFailedDeliveryHeaders },
  ): Promise<Card> {
    return this.transport.send(
      'POST',
      path`/simulate/cards/${id}:failDelivery`,
      { keyed: true },
      options,
    )
  }

  /**
   * Simulate an identity report.
   *
   * Simulates the report of the identity provider for a user whose check is open; without one it
   * fails with `verification_not_awaited`. An `issuing_country` that the settings of the tenant do
   * not allow changes the result. Sends USER_STATUS_CHANGE, and IDENTITY_VERIFICATION unless the
   * user passes. Exists in sandbox only.
   *
   * Errors of its own: `verification_not_awaited`.
   *
   * `POST /simulate/idv/{user_id}`
   */
  identityReport(
    user_id: string,
    body: SimulateIdentityReportBody,
    options?: RequestOptions,
  ): Promise<User> {
    return this.transport.send(
      'POST',
      path`/simulate/idv/${user_id}`,
      { body, keyed: true },
      options,
    )
  }

  /**
   * Simulate the result of a KYC request.
   *
   * Ends a KYC request with a result and sends KYC_RESULT. OK makes a user ACTIVE that is
   * PENDINGKYC, which sends USER_STATUS_CHANGE. A request that has a result fails with
   * `kyc_decided`. Exists in sandbox only.
   *
   * Errors of its own: `kyc_decided`.
   *
   * `POST /simulate/kyc/{id}`
   */
  kycResult(
    id: string,
    body: SimulateKycResultBody,
    options?: RequestOptions,
  ): Promise<KycRequest> {
    return this.transport.send('POST', path`/simulate/kyc/${id}`, { body, keyed: true }, options)
  }

  /**
   * Simulate a second presentment.
   *
   * Presents the transaction of a dispute again, in whole or in part. Sends DISPUTE_STATUS_CHANGE
   * for each step between. Exists in sandbox only.
   *
   * Errors of its own: `dispute_move_refused`, `dispute_exceeds_amount`.
   *
   * `POST /simulate/disputes/{id}:represent`
   */
  representment(
    id: string,
    body?: SimulateRepresentmentBody,
    options?: RequestOptions & { headers?: SimulateRepresentmentHeaders },
  ): Promise<Dispute> {
    return this.transport.send(
      'POST',
      path`/simulate/disputes/${id}:represent`,
      { body, keyed: true },
      options,
    )
  }

  /**
   * Simulate a won dispute.
   *
   * Decides a dispute for the cardholder. Sends DISPUTE_STATUS_CHANGE for each step between. Exists
   * in sandbox only.
   *
   * Errors of its own: `dispute_move_refused`, `dispute_exceeds_amount`.
   *
   * `POST /simulate/disputes/{id}:win`
   */
  wonDispute(
    id: string,
    body?: SimulateWonDisputeBody,
    options?: RequestOptions & { headers?: SimulateWonDisputeHeaders },
  ): Promise<Dispute> {
    return this.transport.send(
      'POST',
      path`/simulate/disputes/${id}:win`,
      { body, keyed: true },
      options,
    )
  }

  /**
   * Simulate a lost dispute.
   *
   * Decides a dispute against the cardholder, by arbitration. Sends DISPUTE_STATUS_CHANGE for each
   * step between. Exists in sandbox only.
   *
   * Errors of its own: `dispute_move_refused`, `dispute_exceeds_amount`.
   *
   * `POST /simulate/disputes/{id}:lose`
   */
  lostDispute(
    id: string,
    body?: SimulateLostDisputeBody,
    options?: RequestOptions & { headers?: SimulateLostDisputeHeaders },
  ): Promise<Dispute> {
    return this.transport.send(
      'POST',
      path`/simulate/disputes/${id}:lose`,
      { body, keyed: true },
      options,
    )
  }

  /**
   * Simulate an arbitration.
   *
   * Leads a dispute to PRE_ARBITRATION. Sends DISPUTE_STATUS_CHANGE for each step between. Exists in
   * sandbox only.
   *
   * Errors of its own: `dispute_move_refused`, `dispute_exceeds_amount`.
   *
   * `POST /simulate/disputes/{id}:arbitrate`
   */
  arbitration(
    id: string,
    body?: SimulateArbitrationBody,
    options?: RequestOptions & { headers?: SimulateArbitrationHeaders },
  ): Promise<Dispute> {
    return this.transport.send(
      'POST',
      path`/simulate/disputes/${id}:arbitrate`,
      { body, keyed: true },
      options,
    )
  }

  /**
   * Simulate an authorization request.
   *
   * Sends an authorization request to the authorization engine as the card network does, and answers
   * the transaction. A declined request also answers 200, with status DECLINED and the code in
   * `status_code`. Sends TRANSACTION. An idempotency key makes a repeated request answer the same
   * transaction. With `what_if=true` the request is only decided: nothing is stored, counted or
   * sent, and the answer is the decision with all checks and the largest amount that would be
   * approved. Exists in sandbox only.
   *
   * `POST /simulate/authorizations`
   */
  authorization(
    body: SimulateAuthorizationBody,
    query?: SimulateAuthorizationQuery,
    options?: RequestOptions,
  ): Promise<SimulateAuthorizationAnswer> {
    return this.transport.send(
      'POST',
      '/simulate/authorizations',
      { body, query, keyed: true },
      options,
    )
  }

  /**
   * Simulate an incremental authorization.
   *
   * Sends a request to increase the hold of an authorization by an amount, and answers the
   * transaction. A declined increment leaves the hold as it is. Sends TRANSACTION. Exists in sandbox
   * only.
   *
   * `POST /simulate/authorizations/{id}:increment`
   */
  increment(
    id: string,
    body: SimulateIncrementBody,
    options?: RequestOptions & { headers?: SimulateIncrementHeaders },
  ): Promise<Transaction> {
    return this.transport.send(
      'POST',
      path`/simulate/authorizations/${id}:increment`,
      { body, keyed: true },
      options,
    )
  }

  /**
   * Simulate a reversal.
   *
   * Sends a reversal of an authorization, for the whole hold or for the amount in the body. The hold
   * is released by it. Sends TRANSACTION. Exists in sandbox only.
   *
   * `POST /simulate/authorizations/{id}:reverse`
   */
  reversal(
    id: string,
    body?: SimulateReversalBody,
    options?: RequestOptions & { headers?: SimulateReversalHeaders },
  ): Promise<Transaction> {
    return this.transport.send(
      'POST',
      path`/simulate/authorizations/${id}:reverse`,
      { body, keyed: true },
      options,
    )
  }

  /**
   * Simulate a clearing.
   *
   * Sends a clearing of an authorization, for the amount in the body or for all that is not cleared
   * yet. An amount above the hold is posted with status code 1855. If several without an amount come
   * at one time, one clears all and the others have status code 1010. Sends TRANSACTION. Exists in
   * sandbox only.
   *
   * `POST /simulate/authorizations/{id}:clear`
   */
  clearing(
    id: string,
    body?: SimulateClearingBody,
    options?: RequestOptions & { headers?: SimulateClearingHeaders },
  ): Promise<Transaction> {
    return this.transport.send(
      'POST',
      path`/simulate/authorizations/${id}:clear`,
      { body, keyed: true },
      options,
    )
  }

  /**
   * Simulate a refund.
   *
   * Sends a refund as the card network does, and answers the transaction. With `transaction_id` the
   * refund belongs to that transaction and uses its card; without it a card must be sent. Sends
   * TRANSACTION. Exists in sandbox only.
   *
   * `POST /simulate/refunds`
   */
  refund(body: SimulateRefundBody, options?: RequestOptions): Promise<Transaction> {
    return this.transport.send('POST', '/simulate/refunds', { body, keyed: true }, options)
  }

  /**
   * List questions to the responder.
   *
   * Lists the questions to the responder of the tenant that wait for an answer, where the setting
   * `responder.listener` is true. Without one the call waits up to `wait` seconds for the first. At
   * most 100 calls of a tenant wait at one time in one process; a further one answers
   * polls_exceeded. Exists in sandbox only.
   *
   * Errors of its own: `polls_exceeded`.
   *
   * `GET /simulate/responderrequests`
   */
  listResponderRequests(
    query?: ListResponderRequestsQuery,
    options?: RequestOptions,
  ): Promise<ResponderRequests> {
    return this.transport.send('GET', '/simulate/responderrequests', { query }, options)
  }

  /**
   * Answer a question to the responder.
   *
   * Answers a question to the responder as an endpoint would: approves it, whole or up to `amount`,
   * or declines it. The first answer is used. A second one fails with `question_answered`, one after
   * the deadline with `question_overdue`. Exists in sandbox only.
   *
   * Errors of its own: `question_answered`, `question_overdue`.
   *
   * `POST /simulate/responderrequests/{id}:answer`
   */
  answerResponderRequest(
    id: string,
    body: AnswerResponderRequestBody,
    options?: RequestOptions,
  ): Promise<AnsweredResponderRequest> {
    return this.transport.send(
      'POST',
      path`/simulate/responderrequests/${id}:answer`,
      { body, keyed: true },
      options,
    )
  }

  /**
   * Create a receiver for webhooks.
   *
   * Creates a receiver for trying webhooks: an address of this program that a subscription can have
   * as its endpoint. It stores the newest 100 requests for up to seven days, checks their
   * signatures, and answers them as it is set. A tenant has at most 10. If `allow_private_endpoints`
   * is false, `PUBLIC_URL` has to be a public address. Exists in sandbox only.
   *
   * Errors of its own: `receiver_limit_reached`.
   *
   * `POST /simulate/webhookreceivers`
   */
  createWebhookReceiver(
    body?: CreateWebhookReceiverBody,
    options?: RequestOptions,
  ): Promise<WebhookReceiver> {
    return this.transport.send('POST', '/simulate/webhookreceivers', { body, keyed: true }, options)
  }

  /**
   * List receivers for webhooks.
   *
   * Lists the receivers of the tenant, newest first. Exists in sandbox only.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /simulate/webhookreceivers`
   */
  listWebhookReceivers(
    query?: ListWebhookReceiversQuery,
    options?: RequestOptions,
  ): List<WebhookReceiver> {
    return this.transport.list('GET', '/simulate/webhookreceivers', { query }, options)
  }

  /**
   * Get a receiver for webhooks.
   *
   * Returns a receiver: its address, how it answers, and how many requests it has received. Exists
   * in sandbox only.
   *
   * `GET /simulate/webhookreceivers/{id}`
   */
  getWebhookReceiver(id: string, options?: RequestOptions): Promise<WebhookReceiver> {
    return this.transport.send('GET', path`/simulate/webhookreceivers/${id}`, {}, options)
  }

  /**
   * Change how a receiver answers.
   *
   * Changes how the receiver answers from now on. Status 500 shows how deliveries are tried again, a
   * delay of more than 10 000 ms how they time out, and 410 how their subscription is disabled.
   * Exists in sandbox only.
   *
   * `PUT /simulate/webhookreceivers/{id}`
   */
  updateWebhookReceiver(
    id: string,
    body: UpdateWebhookReceiverBody,
    options?: RequestOptions & { headers?: UpdateWebhookReceiverHeaders },
  ): Promise<WebhookReceiver> {
    return this.transport.send('PUT', path`/simulate/webhookreceivers/${id}`, { body }, options)
  }

  /**
   * Delete a receiver for webhooks.
   *
   * Deletes the receiver with its requests. Subscriptions to its address stay; their deliveries are
   * answered 404. Exists in sandbox only.
   *
   * `DELETE /simulate/webhookreceivers/{id}`
   */
  deleteWebhookReceiver(
    id: string,
    options?: RequestOptions & { headers?: DeleteWebhookReceiverHeaders },
  ): Promise<DeleteWebhookReceiverAnswer> {
    return this.transport.send('DELETE', path`/simulate/webhookreceivers/${id}`, {}, options)
  }

  /**
   * List requests of a receiver.
   *
   * Lists what the receiver has received, newest first: the headers, whether the signature is that
   * of a subscription of the tenant, and then the body, and how it was answered. Exists in sandbox
   * only.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /simulate/webhookreceivers/{id}/requests`
   */
  listReceivedRequests(
    id: string,
    query?: ListReceivedRequestsQuery,
    options?: RequestOptions,
  ): List<ReceivedRequest> {
    return this.transport.list(
      'GET',
      path`/simulate/webhookreceivers/${id}/requests`,
      { query },
      options,
    )
  }
}
