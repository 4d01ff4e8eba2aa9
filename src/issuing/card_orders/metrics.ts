/** The metrics of batches on their way to the bureau. */

import { Counter, Gauge } from 'prom-client'
import { registers } from '#kit/metrics.ts'

export const metrics = {
  cardOrderFailures: new Counter({
    name: 'bezant_card_order_failures_total',
    help: 'Attempts to hand a batch of cards over that failed, by reason',
    labelNames: ['reason'],
    registers,
  }),
  cardOrdersSent: new Counter({
    name: 'bezant_card_orders_sent_total',
    help: 'Batches of cards that were handed over to the bureau',
    registers,
  }),
  lastCardOrder: new Gauge({
    name: 'bezant_card_order_sent_timestamp_seconds',
    help: 'When this process handed the last batch of cards over; 0 if it has sent none',
    registers,
  }),
}

/**
 * `bureau`: its place, its keys, or what it has got; `layout`: a value does not fit into the form;
 * `unavailable`: a security module or the database; `fault`: nobody expected it.
 */
const REASONS = ['bureau', 'layout', 'unavailable', 'fault'] as const
export type FailureReason = (typeof REASONS)[number]

// A counter that appears with its first event shows no increase between two scrapes.
for (const reason of REASONS) metrics.cardOrderFailures.inc({ reason }, 0)
