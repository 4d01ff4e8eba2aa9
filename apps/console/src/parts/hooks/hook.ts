/**
 * The common parts of a tenant's webhooks and a shop's endpoints, as both sets of pages show them.
 */

/** A server that receives events. */
export type Hook = {
  id: string
  endpoint: string
  events: readonly string[]
  status: string
  failing_since?: string | undefined
  disabled_reason?: string | undefined
}

/** The calls on one; a call is absent if the role may not make it. */
export type HookCalls<Kind extends string> = {
  ping?: ((key: string) => Promise<unknown>) | false
  recover?: ((key: string, body: Recovery<Kind>) => Promise<{ recovered: number }>) | false
  rotate?: ((key: string) => Promise<{ secret: string }>) | false
  enable?: ((isEnabled: boolean) => Promise<unknown>) | false
  remove?: (() => Promise<unknown>) | false
}
export type Recovery<Kind extends string> = { since: string; events?: Kind[] }

/** An event that was sent to one. */
export type HookDelivery = {
  id: string
  event: string
  status: string
  attempts: number
  response_status?: number | undefined
  error?: string | undefined
  created: string
}

export type DeliveryInFull = HookDelivery & {
  event_id: string
  object_id: string
  /** Among the events of its object. */
  sequence?: number | undefined
  due?: string | undefined
  history: readonly HookAttempt[]
}

export type HookAttempt = {
  number: number
  sent: string
  duration_ms: number
  request_headers?: readonly { name: string; value: string }[] | undefined
  response_status?: number | undefined
  response_body?: string | undefined
  error?: string | undefined
}
