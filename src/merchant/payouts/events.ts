/** The events of payouts: flat, amounts as in the payout (D-738). */

import { defineEvent } from '#kit/event.ts'
import { presentPayout } from './present.ts'
import { payoutMembers } from './schema.ts'
import type { PayoutRow } from './store.ts'

const created = defineEvent({
  event: 'PAYOUT_CREATED',
  emitted: 'A payout of a merchant is made of a day’s captures, refunds, disputes and fees.',
  object: 'payout',
  payload: payoutMembers,
  to_merchant: true,
})
const paid = defineEvent({
  event: 'PAYOUT_PAID',
  emitted: 'The operator has paid a payout.',
  object: 'payout',
  payload: payoutMembers,
  to_merchant: true,
})
const failed = defineEvent({
  event: 'PAYOUT_FAILED',
  emitted: 'The operator could not pay a payout, which is still owed.',
  object: 'payout',
  payload: payoutMembers,
  to_merchant: true,
})

function membersOf(row: PayoutRow) {
  const { created_at: _created, updated_at: _updated, ...members } = presentPayout(row)
  return { ...members, merchant_id: row.merchant_id }
}

export const payoutCreated = (row: PayoutRow) => created.about(row.id, membersOf(row))
export const payoutMarked = (row: PayoutRow) =>
  row.status === 'PAID' ? paid.about(row.id, membersOf(row)) : failed.about(row.id, membersOf(row))

export const payoutEvents = [created, paid, failed] as const

declare module '#kit/event.ts' {
  interface EmittedKinds {
    payouts: typeof payoutEvents
  }
}
