/** Endpoints and deliveries as the merchant API returns them. */

import { formatSixDigits } from '#lib/time.ts'
import type { Attempt, Delivery as DeliveryRow, Subscription } from './provider.ts'
import type { Delivery, DeliveryWithHistory, Endpoint } from './schema.ts'

export function presentEndpoint(subscription: Subscription): Endpoint {
  const { id, endpoint, events, status, disabled_reason, failing_since, config } = subscription
  return {
    webhook_id: id,
    url: endpoint,
    events: [...events],
    enabled: status === 'ACTIVE',
    ...(disabled_reason !== null && { disabled_reason }),
    ...(failing_since !== null && { failing_since: formatSixDigits(failing_since) }),
    created_at: formatSixDigits(config.created),
    updated_at: formatSixDigits(config.modified),
  }
}

export const presentWithSecret = (subscription: Subscription & { secret: string }) => ({
  ...presentEndpoint(subscription),
  secret: subscription.secret,
})

export function presentDelivery(row: DeliveryRow): Delivery {
  const { id, webhook_id, event_id, event, object_id, status, attempts, due } = row
  return {
    delivery_id: id,
    webhook_id,
    event_id,
    event,
    object_id,
    status,
    attempts,
    ...(due !== null && { next_attempt_at: formatSixDigits(due) }),
    ...presentResult(row),
    created_at: formatSixDigits(row.created),
    updated_at: formatSixDigits(row.modified),
  }
}

export const presentWithHistory = (
  row: DeliveryRow & { history: readonly Attempt[] },
): DeliveryWithHistory => ({
  ...presentDelivery(row),
  history: row.history.map((attempt) => ({
    number: attempt.number,
    sent_at: formatSixDigits(attempt.sent),
    duration_ms: attempt.duration_ms,
    ...presentResult(attempt),
  })),
})

type Result = Pick<Attempt, 'response_status' | 'response_body' | 'error'>

const presentResult = ({ response_status, response_body, error }: Result) => ({
  ...(response_status !== null && { response_status }),
  ...(response_body !== null && { response_body }),
  ...(error !== null && { error }),
})
