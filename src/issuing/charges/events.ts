import type { SequencedEvent } from '#kit/db/outbox.ts'
import { presentCharge } from './rules.ts'
import type { ChargeRow } from './schema.ts'

/** CHARGE_APPLIED (D-60): the one event of a charge. */
export function chargeApplied(row: ChargeRow): SequencedEvent {
  return {
    event: 'CHARGE_APPLIED',
    object_id: row.id,
    sequence: 1,
    payload: { charge: presentCharge(row) },
  }
}
