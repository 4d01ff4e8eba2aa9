/** The metrics of watched places. */

import { Counter } from 'prom-client'
import { registers } from '#kit/metrics.ts'

export const metrics = {
  clearingFiles: new Counter({
    name: 'bezant_clearing_files_total',
    help: 'Clearing files that were found in watched places, by what became of them',
    labelNames: ['network', 'result'],
    registers,
  }),
  clearingPlaceFaults: new Counter({
    name: 'bezant_clearing_place_faults_total',
    help: 'Looks at a watched place of clearing files that have failed',
    labelNames: ['network'],
    registers,
  }),
}

/** The ends of a file; `differs`: other bytes under the name of an accepted one. */
export const RESULTS = ['accepted', 'known', 'rejected', 'differs', 'too_large'] as const
export type Result = (typeof RESULTS)[number]

/** A counter that begins with its first event shows no rate of it. */
export function zeroPlace(network: string): void {
  metrics.clearingPlaceFaults.inc({ network }, 0)
  for (const result of RESULTS) metrics.clearingFiles.inc({ network, result }, 0)
}
