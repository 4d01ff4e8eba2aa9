/** The metrics that are taken when they are asked for. */

import { Gauge } from 'prom-client'
import { registers } from '#kit/metrics.ts'

export const metrics = {
  authorizationsWaiting: new Gauge({
    name: 'bezant_authorizations_waiting',
    help: 'Messages in the engine that have no answer yet',
    registers,
  }),
  unstoredReversals: new Gauge({
    name: 'bezant_unstored_reversals',
    help: 'Approvals to be reversed that this process could not store yet',
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
  info: new Gauge({
    name: 'bezant_info',
    help: 'Always 1; the version, the mode and the roles of this process',
    labelNames: ['version', 'mode', 'roles'],
    registers,
  }),
}
