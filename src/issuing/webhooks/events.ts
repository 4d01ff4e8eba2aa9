/** The event by which a subscription is tested. It cannot be subscribed to. */

import { Type } from 'typebox'
import { defineEvent } from '#kit/event.ts'
import { Field, Uuid } from '#kit/http/schema.ts'

const ping = defineEvent({
  event: 'PING',
  emitted: 'A subscription is tested by `:ping`; only this subscription receives it.',
  object: 'webhook',
  payload: {
    webhook_id: Field('Id of the subscription.', Uuid),
    merchant_id: Type.Optional(
      Field('Id of the merchant whose endpoint it is; absent for one of the tenant.', Uuid),
    ),
  },
})

export const PING = ping.event

/** The feed of the tenant has it too, so that it names whose endpoint it is (D-817). */
export function pingOf(webhook: { id: string; merchant_id: string | null }) {
  const { id, merchant_id } = webhook
  const owner = merchant_id === null ? {} : { merchant_id }
  return { ...ping.about(id, { webhook_id: id, ...owner }), ...owner }
}

export const webhookEvents = [ping] as const

declare module '#kit/event.ts' {
  interface EmittedKinds {
    webhooks: typeof webhookEvents
  }
}
