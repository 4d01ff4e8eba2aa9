/** The metrics of passwords. */

import { Counter } from 'prom-client'
import { registers } from '#kit/metrics.ts'

export const metrics = {
  passwordHashes: new Counter({
    name: 'bezant_password_hashes_total',
    help: 'Passwords that were hashed, also to compare them',
    registers,
  }),
}
