/** The metrics of webhook deliveries. */

import { Counter, Histogram } from 'prom-client'
import { registers } from '#kit/metrics.ts'

export const metrics = {
  deliveries: new Counter({
    name: 'bezant_webhook_attempts_total',
    help: 'Webhook delivery attempts by result',
    labelNames: ['result'],
    registers,
  }),
  deliveryLateness: new Histogram({
    name: 'bezant_webhook_lateness_seconds',
    help: 'Time from when a delivery was due until its attempt',
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 5, 15, 60, 300, 1800],
    registers,
  }),
  webhooksDisabled: new Counter({
    name: 'bezant_webhooks_disabled_total',
    help: 'Webhook subscriptions that were disabled because of their endpoint, by reason',
    labelNames: ['reason'],
    registers,
  }),
}

// A counter that appears with its first event shows no increase between two scrapes.
for (const result of ['DELIVERED', 'RETRYING', 'EXPIRED']) metrics.deliveries.inc({ result }, 0)
for (const reason of ['GONE', 'FAILING']) metrics.webhooksDisabled.inc({ reason }, 0)
