/** A request for every operation of a merchant's endpoints. */

import { none, of, type SampleOf, type Samples } from './sample.ts'

const HOOKS = '/api/v1.0/webhooks'
const ofDelivery: SampleOf = ({ ids }) => ({
  params: { id: ids.endpoint, delivery_id: ids.endpoint_delivery },
})

export const ofEndpoints: Samples = {
  // The endpoint has a merchant of its own, since each may have only a few.
  [`POST ${HOOKS}`]: ({ merchant: _owner }) => ({
    body: { url: 'http://127.0.0.1:9/', events: ['ORDER_CAPTURED'] },
  }),
  [`GET ${HOOKS}`]: none,
  [`GET ${HOOKS}/{id}`]: of('endpoint'),
  [`PUT ${HOOKS}/{id}`]: of('endpoint', { events: ['ORDER_REFUNDED'] }),
  [`DELETE ${HOOKS}/{id}`]: of('endpoint'),
  [`POST ${HOOKS}/{id}:rotateSecret`]: of('endpoint'),
  [`POST ${HOOKS}/{id}:ping`]: of('endpoint'),
  [`POST ${HOOKS}/{id}:recover`]: of('endpoint', { since: '2025-01-01T00:00:00Z' }),
  [`GET ${HOOKS}/{id}/deliveries`]: of('endpoint'),
  [`GET ${HOOKS}/{id}/deliveries/{delivery_id}`]: ofDelivery,
  [`POST ${HOOKS}/{id}/deliveries/{delivery_id}:resend`]: ofDelivery,
}
