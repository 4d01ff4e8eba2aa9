/** The metrics of the process at /metrics. Labels are few and bounded: no ids, no paths. */

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export const registry = new Registry()
collectDefaultMetrics({ register: registry, prefix: 'bezant_' })
const registers = [registry]

export const metrics = {
  requests: new Histogram({
    name: 'bezant_http_request_seconds',
    help: 'HTTP requests by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers,
  }),
  authorizations: new Counter({
    name: 'bezant_authorizations_total',
    help: 'Authorization decisions by status code',
    labelNames: ['status_code'],
    registers,
  }),
  authorizationSeconds: new Histogram({
    name: 'bezant_authorization_seconds',
    help: 'Time from the arrival of a request in the engine to its answer',
    buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1.5],
    registers,
  }),
  batchSize: new Histogram({
    name: 'bezant_authorization_batch_size',
    help: 'Requests decided by one transaction',
    buckets: [1, 2, 5, 10, 25, 50, 100, 200, 400],
    registers,
  }),
  networkMessages: new Counter({
    name: 'bezant_network_messages_total',
    help: 'ISO 8583 messages by direction and type',
    labelNames: ['direction', 'mti'],
    registers,
  }),
  networkFaults: new Counter({
    name: 'bezant_network_faults_total',
    help: 'Bytes from the card network that were rejected, by reason',
    labelNames: ['reason'],
    registers,
  }),
  wireMessagesDropped: new Counter({
    name: 'bezant_wire_messages_dropped_total',
    help: 'Exchanges with the card network that were not recorded',
    registers,
  }),
  deliveries: new Counter({
    name: 'bezant_webhook_attempts_total',
    help: 'Webhook delivery attempts by result',
    labelNames: ['result'],
    registers,
  }),
  webhooksDisabled: new Counter({
    name: 'bezant_webhooks_disabled_total',
    help: 'Webhook subscriptions that were disabled because of their endpoint, by reason',
    labelNames: ['reason'],
    registers,
  }),
  passwordHashes: new Counter({
    name: 'bezant_password_hashes_total',
    help: 'Passwords that were hashed, also to compare them',
    registers,
  }),
  sweepFailures: new Counter({
    name: 'bezant_sweep_failures_total',
    help: 'Rounds of a sweep that ended in an error',
    labelNames: ['sweep'],
    registers,
  }),
  clockSkew: new Gauge({
    name: 'bezant_clock_skew_seconds',
    help: 'Seconds that the clock of this process is ahead of the database’s',
    registers,
  }),
  poolConnections: new Gauge({
    name: 'bezant_database_connections',
    help: 'Database connections of this process by state',
    labelNames: ['state'],
    registers,
  }),
}
