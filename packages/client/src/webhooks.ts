/** Verifies what subscriptions receive; it needs no client and no key of the API. */

import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import type { WebhookEvent } from './generated/issuing/types.ts'

export { WebhookVerificationError } from 'standardwebhooks'
export type { WebhookEvent } from './generated/issuing/types.ts'

/** The event of one kind. */
export type EventOf<Kind extends WebhookEvent['event']> = Extract<WebhookEvent, { event: Kind }>

/** The headers of a request: those of `fetch`, or those of Node and its frameworks. */
export type ReceivedHeaders = Headers | Readonly<Record<string, string | string[] | undefined>>

/**
 * The event of a delivery, whose `event` says of which kind it is.
 *
 * `body` is what was received, byte by byte: JSON that was parsed and written again has another
 * signature. Throws WebhookVerificationError if no signature is of the secret, or if the
 * timestamp is more than five minutes away. While a secret is rotated, several may be passed.
 */
export function unwrap(
  body: string | Uint8Array,
  headers: ReceivedHeaders,
  secret: string | readonly string[],
): WebhookEvent {
  // A signed body is of the platform, and so as its document says.
  return verified(body, headers, secret) as WebhookEvent
}

/** The content of a signed body. */
export function verified(
  body: string | Uint8Array,
  headers: ReceivedHeaders,
  secret: string | readonly string[],
): unknown {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const given = plainHeaders(headers)
  const secrets = typeof secret === 'string' ? [secret] : secret
  let failure: unknown = new WebhookVerificationError('No secret was passed')
  for (const one of secrets) {
    try {
      return new Webhook(one).verify(text, given)
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

function plainHeaders(headers: ReceivedHeaders): Record<string, string> {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers)
  return Object.fromEntries(
    entries.flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), String(value)]],
    ),
  )
}
