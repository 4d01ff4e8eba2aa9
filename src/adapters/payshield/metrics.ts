/** The metrics of security modules. */

import { Counter, Gauge, Histogram } from 'prom-client'
import { registers } from '#kit/metrics.ts'

export const metrics = {
  commands: new Counter({
    name: 'bezant_hsm_commands_total',
    help: 'Commands to security modules by the error code of the answer, or why there was none',
    labelNames: ['command', 'code'],
    registers,
  }),
  seconds: new Histogram({
    name: 'bezant_hsm_command_seconds',
    help: 'Time from a command to a security module to its answer',
    labelNames: ['command'],
    buckets: [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1],
    registers,
  }),
  waiting: new Gauge({
    name: 'bezant_hsm_waiting',
    help: 'Commands to security modules that have no answer yet',
    registers,
  }),
  reachable: new Gauge({
    name: 'bezant_hsm_reachable',
    help: 'Whether the security module at this place of HSM_ADDRESS answers',
    labelNames: ['place'],
    registers,
  }),
  refusals: new Counter({
    name: 'bezant_hsm_refusals_total',
    help: 'Error codes of security modules that are faults of configuration or of the module',
    registers,
  }),
}
