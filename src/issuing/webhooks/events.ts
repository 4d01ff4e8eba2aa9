/** The event by which a subscription is tested. It cannot be subscribed to. */

import { defineEvent } from '#kit/event.ts'
import { Field, Uuid } from '#kit/http/schema.ts'

const ping = defineEvent({
  event: 'PING',
  emitted: 'A subscription is tested by `:ping`; only this subscription receives it.',
  object: 'webhook',
  payload: { webhook_id: Field('Id of the subscription.', Uuid) },
})

export const PING = ping.event

export const pingOf = ({ id, merchant_id }: { id: string; merchant_id: string | null }) => ({
  ...ping.about(id, { webhook_id: id }),
  ...(merchant_id !== null && { merchant_id }),
})

export const webhookEvents = [ping] as const

declare module '#kit/event.ts' {
  interface EmittedKinds {
    webhooks: typeof webhookEvents
  }
}
