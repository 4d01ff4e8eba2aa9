/** Subscriptions to events and their deliveries. */
import { Group, path, type RequestOptions } from '../../../core/group.ts'
import type { List } from '../../../core/lists.ts'
import type {
  CreateWebhookBody,
  DeleteWebhookAnswer,
  DeleteWebhookHeaders,
  Delivery,
  DeliveryWithHistory,
  ListObjectDeliveriesQuery,
  ListWebhookDeliveriesQuery,
  ListWebhooksQuery,
  ObjectDelivery,
  PingWebhookHeaders,
  RecoverWebhookDeliveriesAnswer,
  RecoverWebhookDeliveriesBody,
  RecoverWebhookDeliveriesHeaders,
  ResendDeliveryHeaders,
  RotateWebhookSecretHeaders,
  UpdateWebhookBody,
  UpdateWebhookHeaders,
  Webhook,
  WebhookWithSecret,
} from '../types.ts'

/** Subscriptions to events and their deliveries. */
export class WebhooksGroup extends Group {
  /**
   * Create a webhook subscription.
   *
   * Subscribes an endpoint to kinds of events and returns the signing secret, which no later answer
   * contains. In live mode the endpoint must be https at a public address, with port 443, 80, 8443
   * or 8080. A tenant has at most 50 subscriptions. An endpoint gets at most 32 requests at one time
   * from a process, and 4 while it fails.
   *
   * Errors of its own: `id_taken`, `webhook_limit_reached`.
   *
   * `POST /webhooks`
   */
  create(body: CreateWebhookBody, options?: RequestOptions): Promise<WebhookWithSecret> {
    return this.transport.send('POST', '/webhooks', { body, keyed: true }, options)
  }

  /**
   * List webhook subscriptions.
   *
   * Lists the subscriptions of the tenant, newest first, without deleted ones.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /webhooks`
   */
  list(query?: ListWebhooksQuery, options?: RequestOptions): List<Webhook> {
    return this.transport.list('GET', '/webhooks', { query }, options)
  }

  /**
   * Update a webhook subscription.
   *
   * Changes the members that are sent; null clears a member of `config`. Status DISABLED stops
   * deliveries. Status ACTIVE enables the subscription again and resumes its open deliveries;
   * `:recover` delivers the events of the time between.
   *
   * `PUT /webhooks/{id}`
   */
  update(
    id: string,
    body: UpdateWebhookBody,
    options?: RequestOptions & { headers?: UpdateWebhookHeaders },
  ): Promise<Webhook> {
    return this.transport.send('PUT', path`/webhooks/${id}`, { body }, options)
  }

  /**
   * Get a webhook subscription.
   *
   * Returns a subscription without its secret, password and header values.
   *
   * `GET /webhooks/{id}`
   */
  get(id: string, options?: RequestOptions): Promise<Webhook> {
    return this.transport.send('GET', path`/webhooks/${id}`, {}, options)
  }

  /**
   * Delete a webhook subscription.
   *
   * Deletes the subscription with its secret and credentials. Its open deliveries become EXPIRED,
   * within minutes where there are more than 10,000. Its id cannot be used again.
   *
   * `DELETE /webhooks/{id}`
   */
  delete(
    id: string,
    options?: RequestOptions & { headers?: DeleteWebhookHeaders },
  ): Promise<DeleteWebhookAnswer> {
    return this.transport.send('DELETE', path`/webhooks/${id}`, {}, options)
  }

  /**
   * Rotate the secret of a webhook subscription.
   *
   * Creates a new signing secret and returns it; no later answer contains it. For 24 hours each
   * delivery is signed with the new and the previous secret.
   *
   * `POST /webhooks/{id}:rotateSecret`
   */
  rotateSecret(
    id: string,
    options?: RequestOptions & { headers?: RotateWebhookSecretHeaders },
  ): Promise<WebhookWithSecret> {
    return this.transport.send('POST', path`/webhooks/${id}:rotateSecret`, { keyed: true }, options)
  }

  /**
   * Deliver missed events to a webhook.
   *
   * Delivers the events since an instant that the subscription has missed: those of a time in which
   * it was disabled or did not exist, and those whose delivery is EXPIRED; `until` and `events`
   * limit it to events before an instant and to some kinds. One call recovers at most 10,000 events,
   * the oldest first; call again while `has_more` is true. The subscription must be ACTIVE.
   *
   * Errors of its own: `webhook_disabled`.
   *
   * `POST /webhooks/{id}:recover`
   */
  recoverDeliveries(
    id: string,
    body: RecoverWebhookDeliveriesBody,
    options?: RequestOptions & { headers?: RecoverWebhookDeliveriesHeaders },
  ): Promise<RecoverWebhookDeliveriesAnswer> {
    return this.transport.send(
      'POST',
      path`/webhooks/${id}:recover`,
      { body, keyed: true },
      options,
    )
  }

  /**
   * List the deliveries of a webhook.
   *
   * Lists the deliveries of a subscription, newest first. The filters for status and kind combine.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /webhooks/{id}/deliveries`
   */
  listDeliveries(
    id: string,
    query?: ListWebhookDeliveriesQuery,
    options?: RequestOptions,
  ): List<Delivery> {
    return this.transport.list('GET', path`/webhooks/${id}/deliveries`, { query }, options)
  }

  /**
   * Send a test event to a webhook.
   *
   * Sends a PING event to this subscription alone and returns the delivery while it is still
   * PENDING. The subscription must be ACTIVE.
   *
   * Errors of its own: `webhook_disabled`.
   *
   * `POST /webhooks/{id}:ping`
   */
  ping(id: string, options?: RequestOptions & { headers?: PingWebhookHeaders }): Promise<Delivery> {
    return this.transport.send('POST', path`/webhooks/${id}:ping`, { keyed: true }, options)
  }

  /**
   * List the deliveries about an object.
   *
   * Lists the deliveries about one object, as a transaction, to all subscriptions, newest first, as
   * long as they are kept. An id that names nothing has none.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /deliveries`
   */
  listObjectDeliveries(
    query: ListObjectDeliveriesQuery,
    options?: RequestOptions,
  ): List<ObjectDelivery> {
    return this.transport.list('GET', '/deliveries', { query }, options)
  }

  /**
   * Get a delivery.
   *
   * Returns a delivery with its attempts: when each began, the headers that were sent, without
   * secrets, how long it took, and the status and the start of the response or why there was none.
   *
   * `GET /deliveries/{id}`
   */
  getDelivery(id: string, options?: RequestOptions): Promise<DeliveryWithHistory> {
    return this.transport.send('GET', path`/deliveries/${id}`, {}, options)
  }

  /**
   * Resend a delivery.
   *
   * Makes a delivery due at once, whatever its status. One that is DELIVERED or EXPIRED starts its
   * schedule of attempts again. Later events of the same object wait for it. The subscription must
   * be ACTIVE.
   *
   * Errors of its own: `webhook_disabled`.
   *
   * `POST /deliveries/{id}:resend`
   */
  resendDelivery(
    id: string,
    options?: RequestOptions & { headers?: ResendDeliveryHeaders },
  ): Promise<Delivery> {
    return this.transport.send('POST', path`/deliveries/${id}:resend`, { keyed: true }, options)
  }
}
