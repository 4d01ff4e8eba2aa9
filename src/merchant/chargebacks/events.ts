/** The event of the disputes of a merchant: flat, amounts as in the dispute (D-1065). */

import { defineEvent } from '#kit/event.ts'
import { Field, Uuid } from '#kit/http/schema.ts'
import { presentMembers } from './present.ts'
import { type ChargebackRow, members } from './schema.ts'

const change = defineEvent({
  event: 'CHARGEBACK_STATUS_CHANGE',
  emitted: 'The card network takes money of an order back, or such a dispute moves on.',
  object: 'chargeback',
  payload: { ...members, merchant_id: Field('Id of the merchant.', Uuid) },
  to_merchant: true,
})

export const chargebackMoved = (row: ChargebackRow) =>
  change.about(row.id, { ...presentMembers(row), merchant_id: row.merchant_id })

export const chargebackEvents = [change] as const

declare module '#kit/event.ts' {
  interface EmittedKinds {
    chargebacks: typeof chargebackEvents
  }
}
