/** The metrics of recorded messages. */

import { Counter } from 'prom-client'
import { registers } from '#kit/metrics.ts'

export const metrics = {
  wireMessagesDropped: new Counter({
    name: 'bezant_wire_messages_dropped_total',
    help: 'Exchanges with the card network that were not recorded',
    registers,
  }),
}
