/** A receiver for trying webhooks, and what a subscription sends to it. */

import assert from 'node:assert/strict'
import { signatureHeaders, signingKey } from '#kit/net/signature.ts'
import { newId } from '#lib/id.ts'
import type { Story } from './story.ts'

export async function tryWebhooks({ call, prepare, world }: Story): Promise<void> {
  const { id, url } = await call('createWebhookReceiver', { body: { answer_status: 200 } })
  const subscription = { endpoint: url, events: ['CARD_STATUS_CHANGE'] }
  const webhook = await prepare('createWebhook', { body: subscription })
  // The delivery as the worker sends it; a program without a port cannot be called by itself.
  const body = JSON.stringify({ id: newId(), event: 'PING' })
  const headers = {
    ...signatureHeaders([signingKey(webhook.secret)], newId(), body, new Date()),
    'content-type': 'application/json',
  }
  const { statusCode } = await world.app.inject({
    method: 'POST',
    url: new URL(url).pathname,
    headers,
    payload: body,
  })
  assert.equal(statusCode, 200)
  const params = { id }
  await call('listReceivedRequests', { params, query: { limit: 1 } })
  await call('updateWebhookReceiver', { params, body: { answer_status: 500, delay_ms: 1000 } })
  await call('listWebhookReceivers', { query: { limit: 1 } })
  await call('getWebhookReceiver', { params })
  await call('deleteWebhookReceiver', { params })
  await prepare('deleteWebhook', { params: { id: webhook.id } })
}
