/** The metrics of decisions, of the network port and of responders. */

import { Counter, Histogram } from 'prom-client'
import { registers } from '#kit/metrics.ts'

export const metrics = {
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
  batchSize: new Histogram({
    name: 'bezant_authorization_batch_size',
    help: 'Requests decided by one transaction',
    buckets: [1, 2, 5, 10, 25, 50, 100, 200, 400],
    registers,
  }),
  networkMessages: new Counter({
    name: 'bezant_network_messages_total',
    help: 'ISO 8583 messages by direction and type',
    labelNames: ['network', 'direction', 'mti'],
    registers,
  }),
  networkFaults: new Counter({
    name: 'bezant_network_faults_total',
    help: 'Bytes from the card network that were rejected, by reason',
    labelNames: ['network', 'reason'],
    registers,
  }),
  networkUndecided: new Counter({
    name: 'bezant_network_undecided_total',
    help: 'Messages of the card network that got no decision, by reason',
    labelNames: ['reason'],
    registers,
  }),
  responderQuestions: new Histogram({
    name: 'bezant_responder_question_seconds',
    help: 'Questions to the responders of tenants, by whether an answer or the default decided',
    labelNames: ['result'],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 4],
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

// A counter that appears with its first event shows no increase between two scrapes.
metrics.authorizations.inc({ status_code: TIMED_OUT }, 0)
for (const status_code of ['1894', '9115']) metrics.presentmentsAgainst.inc({ status_code }, 0)
for (const reason of UNDECIDED) metrics.networkUndecided.inc({ reason }, 0)
for (const result of ['answered', 'default']) metrics.responderQuestions.zero({ result })
