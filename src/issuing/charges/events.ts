/** The one event of a charge (D-60): its money was taken. */

import { defineEvent } from '#kit/event.ts'
import { presentCharge } from './rules.ts'
import { Charge, type ChargeRow } from './schema.ts'

const applied = defineEvent({
  event: 'CHARGE_APPLIED',
  emitted: 'A charge is taken from an account.',
  object: 'charge',
  payload: { charge: Charge },
})

export const chargeApplied = (row: ChargeRow) => ({
  ...applied.about(row.id, { charge: presentCharge(row) }),
  sequence: 1,
})

export const chargeEvents = [applied] as const

declare module '#kit/event.ts' {
  interface EmittedKinds {
    charges: typeof chargeEvents
  }
}
