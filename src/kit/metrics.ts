/**
 * The metrics of the process at /metrics, and those of the kit itself. Slices register theirs in
 * their `metrics.ts`. Labels are few and bounded: no ids, no paths.
 */

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export const registry = new Registry()
collectDefaultMetrics({ register: registry, prefix: 'bezant_' })
/** For the definitions of metrics: those of a slice are in its `metrics.ts`. */
export const registers = [registry]

export const metrics = {
  requests: new Histogram({
    name: 'bezant_http_request_seconds',
    help: 'HTTP requests by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers,
  }),
  sweepFailures: new Counter({
    name: 'bezant_sweep_failures_total',
    help: 'Rounds of a sweep that ended in an error',
    labelNames: ['sweep'],
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
}

/** Why work got no connection to the database. */
const REFUSALS = ['no_place', 'silent', 'unreachable'] as const
export type Refusal = (typeof REFUSALS)[number]

// A counter that appears with its first event shows no increase between two scrapes.
for (const reason of REFUSALS) metrics.poolRefusals.inc({ reason }, 0)
