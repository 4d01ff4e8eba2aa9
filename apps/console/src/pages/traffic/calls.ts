/** The calls of a day. A call that is made again has the same key, and so one effect. */

import { answered, issuing } from '../../api/client.ts'
import type { Transaction } from '../../api/types.ts'
import type { Planned } from './plan.ts'

type Key = { 'x-bezant-idempotency-key': string }

export function pay({ mixed, card, amount }: Planned, currency: string, header: Key) {
  const body = { ...mixed.body, card_id: card.id, amount, currency }
  const asked = answered(issuing.POST('/simulate/authorizations', { body, params: { header } }))
  // Without `what_if` the answer is a transaction.
  return asked as Promise<Transaction>
}

export function clear({ id }: Transaction, header: Key) {
  const params = { header, path: { id } }
  return answered(issuing.POST('/simulate/authorizations/{id}:clear', { params }))
}

export function reverse({ id }: Transaction, header: Key) {
  const params = { header, path: { id } }
  return answered(issuing.POST('/simulate/authorizations/{id}:reverse', { params }))
}

export function refund({ id, amount, currency }: Transaction, header: Key) {
  const body = { transaction_id: id, amount, currency }
  return answered(issuing.POST('/simulate/refunds', { body, params: { header } }))
}

export const moveHour = () =>
  answered(issuing.PUT('/simulate/clock', { body: { advance: 'PT1H' } }))
