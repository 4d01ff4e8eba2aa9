/** The events of disputes (D-1061). */

import { Type } from 'typebox'
import { defineEvent } from '#kit/event.ts'
import { Field, Note, OneOf, Uuid } from '#kit/http/schema.ts'
import { presentDispute } from './present.ts'
import { statuses } from './rules/states.ts'
import { Dispute, type DisputeRow } from './schema.ts'

const change = defineEvent({
  event: 'DISPUTE_STATUS_CHANGE',
  emitted: 'A dispute is opened or moves to another status, by a call, by the network or by time.',
  object: 'dispute',
  payload: {
    dispute_status_change: Type.Object(
      {
        dispute_id: Field('Id of the dispute.', Uuid),
        old_status: Type.Optional(
          Field('Status before the move; absent when it is opened.', OneOf(statuses)),
        ),
        new_status: Field('Status after the move.', OneOf(statuses)),
        note: Type.Optional(Field('Note of the author of the move.', Note)),
      },
      { description: 'Change of the status of the dispute.' },
    ),
    dispute: Dispute,
  },
})

export function disputeMoved(before: DisputeRow | undefined, after: DisputeRow) {
  const { note } = after.moves.at(-1) ?? {}
  return change.about(after.id, {
    dispute_status_change: {
      dispute_id: after.id,
      ...(before && { old_status: before.status }),
      new_status: after.status,
      ...(note !== undefined && { note }),
    },
    dispute: presentDispute(after),
  })
}

const deadline = defineEvent({
  event: 'DISPUTE_DEADLINE',
  emitted:
    'The deadline by which the issuer has to submit a draft or answer a representment is five ' +
    'days ahead.',
  object: 'dispute',
  payload: { dispute: Dispute },
})

export const deadlineNear = (row: DisputeRow) =>
  deadline.about(row.id, { dispute: presentDispute(row) })

export const disputeEvents = [change, deadline] as const

declare module '#kit/event.ts' {
  interface EmittedKinds {
    disputes: typeof disputeEvents
  }
}
