/** Endpoints of a merchant and the deliveries to them. */

import type { Story } from './story.ts'

const url = 'https://shop.example/events'

/** Returns the id of the endpoint, to which the events after it are delivered. */
export async function addEndpoint({ call }: Story): Promise<string> {
  const events = ['ORDER_AUTHORIZED', 'ORDER_CAPTURED', 'ORDER_REFUNDED']
  const { webhook_id: id } = await call('createEndpoint', { body: { url, events } })
  await call('listEndpoints', { query: { limit: 1 } })
  await call('getEndpoint', { params: { id } })
  const more = [...events, 'PAYOUT_PAID']
  await call('updateEndpoint', { params: { id }, body: { events: more } })
  return id
}

/** The requests of a merchant who looks for a delivery; then the endpoint is gone. */
export async function followDeliveries({ call }: Story, id: string, since: Date): Promise<void> {
  const params = { id }
  const { delivery_id } = await call('pingEndpoint', { params })
  await call('listEndpointDeliveries', { params, query: { event: 'ORDER_CAPTURED' } })
  await call('getEndpointDelivery', { params: { id, delivery_id } })
  await call('resendEndpointDelivery', { params: { id, delivery_id } })
  await call('rotateEndpointSecret', { params })
  await call('recoverEndpointDeliveries', { params, body: { since: since.toISOString() } })
  await call('deleteEndpoint', { params })
}
