/**
 * The events of transactions (D-60, D-61). They have no payload when they are emitted: it is
 * rendered from the history of the transaction when it is sent (D-396).
 */

import { defineEvent, type PayloadOf } from '#kit/event.ts'
import { Transaction } from './schema.ts'

/** A card payment as `GET /transactions/{id}` returned it right after the event. */
const payload = { card_transaction: Transaction }

const transaction = defineEvent({
  event: 'TRANSACTION',
  emitted: 'A transaction is decided, raised, reversed, cleared or refunded; declines too.',
  object: 'transaction',
  payload,
})
export type TransactionPayload = PayloadOf<typeof transaction>

const expiry = defineEvent({
  event: 'EXPIRED_AUTH',
  emitted: 'A hold ends without being cleared; one that was cleared in part ends with TRANSACTION.',
  object: 'transaction',
  payload,
})

export const transactionEvents = [transaction, expiry] as const

declare module '#kit/event.ts' {
  interface RenderedKinds {
    transactions: typeof transactionEvents
  }
}
