/** Every way this slice says no, and the HTTP status that carries it. */
export const webhookErrors = {
  polls_exceeded: 429,
  webhook_disabled: 409,
  webhook_limit_reached: 409,
} as const
