/** The error codes of this slice with their HTTP status. */
export const webhookErrors = {
  polls_exceeded: 429,
  webhook_disabled: 409,
  webhook_limit_reached: 409,
} as const
