/** Endpoints of the merchant and the deliveries to them. */
import { Group, path, type RequestOptions } from '../../../core/group.ts'
import type { List } from '../../../core/lists.ts'
import type {
  CreateEndpointBody,
  DeleteEndpointHeaders,
  ListEndpointDeliveriesQuery,
  ListEndpointsQuery,
  PingEndpointHeaders,
  RecoverEndpointDeliveriesAnswer,
  RecoverEndpointDeliveriesBody,
  RecoverEndpointDeliveriesHeaders,
  ResendEndpointDeliveryHeaders,
  RotateEndpointSecretHeaders,
  UpdateEndpointBody,
  UpdateEndpointHeaders,
  WebhookDelivery,
  WebhookDeliveryWithHistory,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
} from '../types.ts'

/** Endpoints of the merchant and the deliveries to them. */
export class WebhooksGroup extends Group {
  /**
   * Add a webhook endpoint.
   *
   * Adds an endpoint that receives events of the merchant’s own orders and payouts, and returns its
   * signing secret, which no later answer contains. In live mode it must be https at a public
   * address, with port 443, 80, 8443 or 8080. A merchant has at most 10 endpoints. Each gets at most
   * 8 requests at one time from a process, and 1 while it fails.
   *
   * Errors of its own: `webhook_limit_reached`.
   *
   * `POST /webhooks`
   */
  createEndpoint(
    body: CreateEndpointBody,
    options?: RequestOptions,
  ): Promise<WebhookEndpointWithSecret> {
    return this.transport.send('POST', '/webhooks', { body, keyed: true }, options)
  }

  /**
   * List webhook endpoints.
   *
   * Lists the endpoints of the merchant, newest first.
   *
   * `GET /webhooks`
   */
  listEndpoints(query?: ListEndpointsQuery, options?: RequestOptions): List<WebhookEndpoint> {
    return this.transport.list('GET', '/webhooks', { query }, options)
  }

  /**
   * Update a webhook endpoint.
   *
   * Changes the members that are sent. `enabled` false stops deliveries. `enabled` true resumes the
   * open deliveries of an endpoint, also of one that the platform has disabled; `:recover` delivers
   * the events of the time between.
   *
   * Errors of its own: `changed_meanwhile`.
   *
   * `PUT /webhooks/{id}`
   */
  updateEndpoint(
    id: string,
    body: UpdateEndpointBody,
    options?: RequestOptions & { headers?: UpdateEndpointHeaders },
  ): Promise<WebhookEndpoint> {
    return this.transport.send('PUT', path`/webhooks/${id}`, { body }, options)
  }

  /**
   * Get a webhook endpoint.
   *
   * Returns an endpoint without its secret.
   *
   * `GET /webhooks/{id}`
   */
  getEndpoint(id: string, options?: RequestOptions): Promise<WebhookEndpoint> {
    return this.transport.send('GET', path`/webhooks/${id}`, {}, options)
  }

  /**
   * Delete a webhook endpoint.
   *
   * Deletes an endpoint with its secret. Its open deliveries become EXPIRED.
   *
   * Errors of its own: `changed_meanwhile`.
   *
   * `DELETE /webhooks/{id}`
   */
  deleteEndpoint(
    id: string,
    options?: RequestOptions & { headers?: DeleteEndpointHeaders },
  ): Promise<void> {
    return this.transport.send('DELETE', path`/webhooks/${id}`, {}, options)
  }

  /**
   * Rotate the secret of an endpoint.
   *
   * Creates a new signing secret and returns it; no later answer contains it. For 24 hours each
   * delivery is signed with the new and the previous secret.
   *
   * Errors of its own: `changed_meanwhile`.
   *
   * `POST /webhooks/{id}:rotateSecret`
   */
  rotateEndpointSecret(
    id: string,
    options?: RequestOptions & { headers?: RotateEndpointSecretHeaders },
  ): Promise<WebhookEndpointWithSecret> {
    return this.transport.send('POST', path`/webhooks/${id}:rotateSecret`, { keyed: true }, options)
  }

  /**
   * Send a test event to an endpoint.
   *
   * Sends a PING event to this endpoint alone and returns the delivery while it is still PENDING.
   * The endpoint must be enabled.
   *
   * Errors of its own: `webhook_disabled`, `changed_meanwhile`.
   *
   * `POST /webhooks/{id}:ping`
   */
  pingEndpoint(
    id: string,
    options?: RequestOptions & { headers?: PingEndpointHeaders },
  ): Promise<WebhookDelivery> {
    return this.transport.send('POST', path`/webhooks/${id}:ping`, { keyed: true }, options)
  }

  /**
   * Deliver missed events to an endpoint.
   *
   * Delivers the events of the merchant since an instant that the endpoint has missed: those of a
   * time in which it was disabled or did not exist, and those whose delivery is EXPIRED; `until` and
   * `events` limit it to events before an instant and to some kinds. One call recovers at most
   * 10,000 events, the oldest first; call again while `has_more` is true. The endpoint must be
   * enabled.
   *
   * Errors of its own: `webhook_disabled`, `changed_meanwhile`.
   *
   * `POST /webhooks/{id}:recover`
   */
  recoverEndpointDeliveries(
    id: string,
    body: RecoverEndpointDeliveriesBody,
    options?: RequestOptions & { headers?: RecoverEndpointDeliveriesHeaders },
  ): Promise<RecoverEndpointDeliveriesAnswer> {
    return this.transport.send(
      'POST',
      path`/webhooks/${id}:recover`,
      { body, keyed: true },
      options,
    )
  }

  /**
   * List the deliveries to an endpoint.
   *
   * Lists the deliveries to an endpoint, newest first. The filters for status and kind combine.
   *
   * `GET /webhooks/{id}/deliveries`
   */
  listEndpointDeliveries(
    id: string,
    query?: ListEndpointDeliveriesQuery,
    options?: RequestOptions,
  ): List<WebhookDelivery> {
    return this.transport.list('GET', path`/webhooks/${id}/deliveries`, { query }, options)
  }

  /**
   * Get a delivery to an endpoint.
   *
   * Returns a delivery with its attempts: when each began, how long it took, and the status and the
   * start of the response or why there was none.
   *
   * `GET /webhooks/{id}/deliveries/{delivery_id}`
   */
  getEndpointDelivery(
    id: string,
    delivery_id: string,
    options?: RequestOptions,
  ): Promise<WebhookDeliveryWithHistory> {
    return this.transport.send('GET', path`/webhooks/${id}/deliveries/${delivery_id}`, {}, options)
  }

  /**
   * Resend a delivery to an endpoint.
   *
   * Makes a delivery due at once, whatever its status. One that is DELIVERED or EXPIRED starts its
   * schedule of attempts again. Later events of the same order or payout wait for it. The endpoint
   * must be enabled.
   *
   * Errors of its own: `webhook_disabled`, `changed_meanwhile`.
   *
   * `POST /webhooks/{id}/deliveries/{delivery_id}:resend`
   */
  resendEndpointDelivery(
    id: string,
    delivery_id: string,
    options?: RequestOptions & { headers?: ResendEndpointDeliveryHeaders },
  ): Promise<WebhookDelivery> {
    return this.transport.send(
      'POST',
      path`/webhooks/${id}/deliveries/${delivery_id}:resend`,
      { keyed: true },
      options,
    )
  }
}
