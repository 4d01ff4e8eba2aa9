/** The tenant's settings as far as deliveries go (D-25, D-62, D-115). */

/** 5 s, 1 min, 5 min, 30 min, 2 h, 5 h, 10 h, 24 h (D-62). */
const SCHEDULE_SECONDS = [5, 60, 300, 1800, 7200, 18_000, 36_000, 86_400]

export type DeliverySettings = {
  /** Seconds between one attempt and the next; after the last the delivery expires. */
  schedule: readonly number[]
  /** In live never (D-115). */
  allow_private: boolean
}

/** `stored` is the JSON of the tenant, which holds only what was set. */
export function deliverySettings(stored: unknown, live: boolean): DeliverySettings {
  const { webhook_retry_seconds, allow_private_endpoints } = (stored ?? {}) as {
    webhook_retry_seconds?: number[]
    allow_private_endpoints?: boolean
  }
  return {
    schedule: webhook_retry_seconds ?? SCHEDULE_SECONDS,
    allow_private: !live && allow_private_endpoints !== false,
  }
}
