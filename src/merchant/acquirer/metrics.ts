/** The metrics of messages to issuers. */

import { Counter } from 'prom-client'
import { registers } from '#kit/metrics.ts'

export const metrics = {
  issuerMessages: new Counter({
    name: 'bezant_issuer_messages_total',
    help: 'Messages of the merchant service to the issuer, by type and result',
    labelNames: ['issuer', 'mti', 'result'],
    registers,
  }),
}

// A counter that appears with its first event shows no increase between two scrapes.
for (const mti of ['0100', '0200', '0220', '0420']) {
  for (const result of ['approved', 'declined', 'unsent', 'unanswered']) {
    metrics.issuerMessages.inc({ issuer: 'default', mti, result }, 0)
  }
}
