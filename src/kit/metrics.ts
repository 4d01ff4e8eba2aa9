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
  presentmentsAgainst: new Counter({
    name: 'bezant_presentments_against_total',
    help: 'Presentments posted against what was reversed (1894) or declined (9115)',
    labelNames: ['status_code'],
    registers,
  }),
  authorizationSeconds: new Histogram({
    name: 'bezant_authorization_seconds',
    help: 'Time from the arrival of a request in the engine to its answer',
    buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1.5],
    registers,
  }),
  authorizationsWaiting: new Gauge({
    name: 'bezant_authorizations_waiting',
    help: 'Messages in the engine that have no answer yet',
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
  networkUndecided: new Counter({
    name: 'bezant_network_undecided_total',
    help: 'Messages of the card network that got no decision, by reason',
    labelNames: ['reason'],
    registers,
  }),
  networkConnections: new Gauge({
    name: 'bezant_network_connections',
    help: 'Open connections of the card network, those of this process to itself too',
    registers,
  }),
  networkConnectionsMost: new Gauge({
    name: 'bezant_network_connections_most',
    help: 'The most connections that the network port accepts',
    registers,
  }),
  unstoredReversals: new Gauge({
    name: 'bezant_unstored_reversals',
    help: 'Approvals to be reversed that this process could not store yet',
    registers,
  }),
  responderQuestions: new Histogram({
    name: 'bezant_responder_question_seconds',
    help: 'Questions to the responders of tenants, by whether an answer or the default decided',
    labelNames: ['result'],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 4],
    registers,
  }),
  issuerMessages: new Counter({
    name: 'bezant_issuer_messages_total',
    help: 'Messages of the merchant service to the issuer, by type and result',
    labelNames: ['issuer', 'mti', 'result'],
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
  sweepLateness: new Gauge({
    name: 'bezant_sweep_lateness_seconds',
    help: 'How long the tenant that has waited longest has had due work without a break',
    labelNames: ['sweep'],
    registers,
  }),
  sweepTenants: new Gauge({
    name: 'bezant_sweep_tenants',
    help: 'Tenants with due work',
    labelNames: ['sweep'],
    registers,
  }),
  jobSucceeded: new Gauge({
    name: 'bezant_job_last_success_timestamp_seconds',
    help: 'When a job last succeeded, or where it has not yet when it was to begin',
    labelNames: ['name'],
    registers,
  }),
  jobInterval: new Gauge({
    name: 'bezant_job_interval_seconds',
    help: 'Time from one run of a job to the next',
    labelNames: ['name'],
    registers,
  }),
  jobSeconds: new Gauge({
    name: 'bezant_job_last_run_seconds',
    help: 'How long the last run of a job took',
    labelNames: ['name'],
    registers,
  }),
  backlogRows: new Gauge({
    name: 'bezant_backlog_rows',
    help: 'Rows that wait in a queue of the database, counted up to 10,000',
    labelNames: ['queue'],
    registers,
  }),
  backlogAge: new Gauge({
    name: 'bezant_backlog_age_seconds',
    help: 'Age of the oldest of the rows that wait in a queue of the database',
    labelNames: ['queue'],
    registers,
  }),
  certificateEnd: new Gauge({
    name: 'bezant_certificate_end_timestamp_seconds',
    help: 'When the certificate in use ends, by the variable that names it',
    labelNames: ['variable'],
    registers,
  }),
  clockSkew: new Gauge({
    name: 'bezant_clock_skew_seconds',
    help: 'Seconds that the clock of this process is ahead of the database’s',
    registers,
  }),
  poolConnections: new Gauge({
    name: 'bezant_database_connections',
    help: 'Database connections of this process by pool and state',
    labelNames: ['pool', 'state'],
    registers,
  }),
  poolConnectionsMost: new Gauge({
    name: 'bezant_database_connections_most',
    help: 'The most database connections of a pool',
    labelNames: ['pool'],
    registers,
  }),
  poolRefusals: new Counter({
    name: 'bezant_database_connections_refused_total',
    help: 'Work that got no database connection, by reason',
    labelNames: ['reason'],
    registers,
  }),
  databaseUp: new Gauge({
    name: 'bezant_database_up',
    help: 'Whether a server of the database has answered the last beat, every 400 ms',
    labelNames: ['server'],
    registers,
  }),
  databaseOutages: new Counter({
    name: 'bezant_database_outages_total',
    help: 'How often a server of the database ceased to answer',
    labelNames: ['server'],
    registers,
  }),
  info: new Gauge({
    name: 'bezant_info',
    help: 'Always 1; the version, the mode and the roles of this process',
    labelNames: ['version', 'mode', 'roles'],
    registers,
  }),
}

/** The status code of a request that missed its deadline. */
const TIMED_OUT = '1889'

/** Why a message of the card network got no decision. */
const UNDECIDED = [
  'late',
  'unknown',
  'locked',
  'overloaded',
  'database',
  'fault',
  'invariant',
] as const
export type Undecided = (typeof UNDECIDED)[number]

/** Why work got no connection to the database. */
const REFUSALS = ['no_place', 'silent', 'unreachable'] as const
export type Refusal = (typeof REFUSALS)[number]

// A counter that appears with its first event shows no increase between two scrapes.
metrics.authorizations.inc({ status_code: TIMED_OUT }, 0)
for (const status_code of ['1894', '9115']) metrics.presentmentsAgainst.inc({ status_code }, 0)
for (const reason of UNDECIDED) metrics.networkUndecided.inc({ reason }, 0)
for (const reason of REFUSALS) metrics.poolRefusals.inc({ reason }, 0)
for (const result of ['DELIVERED', 'RETRYING', 'EXPIRED']) metrics.deliveries.inc({ result }, 0)
for (const reason of ['GONE', 'FAILING']) metrics.webhooksDisabled.inc({ reason }, 0)
for (const result of ['answered', 'default']) metrics.responderQuestions.zero({ result })
for (const mti of ['0100', '0200', '0220', '0420']) {
  for (const result of ['approved', 'declined', 'unsent', 'unanswered']) {
    metrics.issuerMessages.inc({ issuer: 'default', mti, result }, 0)
  }
}
