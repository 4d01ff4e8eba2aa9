/** Subscriptions, their deliveries and the feed of events. */

import type { Story } from './story.ts'

const endpoint = 'https://hooks.example.com/bezant'

/** Returns the id of the subscription, to which everything after it is delivered. */
export async function subscribe({ call }: Story): Promise<string> {
  const config = { basic_auth_username: 'palm', basic_auth_password: 'EXAMPLE' }
  const body = { endpoint, events: ['CARD_STATUS_CHANGE', 'TRANSACTION'], config }
  const { id } = await call('createWebhook', { body })
  await call('listWebhooks', { query: { limit: 1 } })
  await call('getWebhook', { params: { id } })
  await call('updateWebhook', { params: { id }, body: { events: ['TRANSACTION'] } })
  return id
}

/** A subscription that is no example. */
export const subscribeTo = ({ prepare }: Story, events: readonly string[], url: string) =>
  prepare('createWebhook', { body: { endpoint: url, events } })

export async function deliver(
  { call, prepare, stream }: Story,
  id: string,
  since: Date,
): Promise<void> {
  const params = { id }
  const delivery = await call('pingWebhook', { params })
  await call('listWebhookDeliveries', { params, query: { limit: 1 } })
  await call('listObjectDeliveries', { query: { object_id: id, limit: 1 } })
  await call('getDelivery', { params: { id: delivery.id } })
  await call('resendDelivery', { params: { id: delivery.id } })
  await call('rotateWebhookSecret', { params })
  await call('recoverWebhookDeliveries', { params, body: { since: since.toISOString() } })
  const { data } = await prepare('listEvents', { query: { limit: 1 } })
  await call('listEvents', { query: { after: data[0].id, limit: 1, wait: 5 } })
  await stream('listEvents', { query: { after: data[0].id } })
  await call('listObjectEvents', { query: { object_id: id, limit: 1 } })
  await call('deleteWebhook', { params })
}
