/** The calls of a day. A call that is made again has the same key, and so one effect. */

import { answered, issuing } from '../../api/client.ts'
import type { Transaction } from '../../api/types.ts'
import type { Planned } from './plan.ts'

export function pay({ mixed, card, amount }: Planned, currency: string, key: string) {
  const body = { ...mixed.body, card_id: card.id, amount, currency }
  const asked = answered(issuing.simulation.authorization(body, {}, { idempotencyKey: key }))
  // Without `what_if` the answer is a transaction.
  return asked as Promise<Transaction>
}

export function clear({ id }: Transaction, key: string) {
  return answered(issuing.simulation.clearing(id, {}, { idempotencyKey: key }))
}

export function reverse({ id }: Transaction, key: string) {
  return answered(issuing.simulation.reversal(id, {}, { idempotencyKey: key }))
}

export function refund({ id, amount, currency }: Transaction, key: string) {
  const body = { transaction_id: id, amount, currency }
  return answered(issuing.simulation.refund(body, { idempotencyKey: key }))
}

export const moveHour = () => answered(issuing.simulation.moveClock({ advance: 'PT1H' }))
