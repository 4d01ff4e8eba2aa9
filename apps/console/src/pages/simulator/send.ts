/** The messages of the simulator: each is one call. */

import { answered, issuing, once } from '../../api/client.ts'
import type { Check, Decision, Transaction } from '../../api/types.ts'

export type Channel =
  | 'ECOMMERCE'
  | 'CREDENTIAL_ON_FILE'
  | 'CHIP'
  | 'CONTACTLESS'
  | 'MAGSTRIPE'
  | 'FALLBACK'
  | 'MANUAL'

export type PaymentRequest = {
  what_if: boolean
  card_id: string
  merchant: string
  mcc: string
  country: string
  channel: Channel
  /** As it was typed, in major units. */
  amount: string
  currency: string
}

export type NextKind = 'increment' | 'reverse' | 'clear' | 'refund'

export type Outgoing =
  | ({ kind: 'request' } & PaymentRequest)
  | { kind: NextKind; transaction: Transaction; amount: string }

export type Sent =
  | { kind: 'transaction'; message: Transaction; checks: readonly Check[] }
  | { kind: 'what_if'; message: Decision; checks: readonly Check[] }

/** Sends a message; of a transaction it reads the trace as well, which shows the decision. */
export async function send(outgoing: Outgoing): Promise<Sent> {
  const answer = await (outgoing.kind === 'request' ? request(outgoing) : next(outgoing))
  if ('max_approved_amount' in answer) {
    return { kind: 'what_if', message: answer, checks: answer.checks }
  }
  const path = { id: answer.id }
  const trace = await answered(issuing.GET('/transactions/{id}/trace', { params: { path } }))
  return { kind: 'transaction', message: answer, checks: trace.checks }
}

function request(outgoing: PaymentRequest): Promise<Transaction | Decision> {
  const { what_if, card_id, merchant: name, mcc, country, channel, amount, currency } = outgoing
  const merchant = Object.fromEntries(
    Object.entries({ name, mcc, country }).filter(([, value]) => value !== ''),
  )
  const body = { card_id, amount, currency, entry_mode: channel, merchant }
  const params = { header: once(), query: what_if ? { what_if } : {} }
  return answered(issuing.POST('/simulate/authorizations', { body, params }))
}

function next({ kind, transaction, amount }: Outgoing & { kind: NextKind }): Promise<Transaction> {
  const params = { header: once(), path: { id: transaction.id } }
  const some = amount === '' ? {} : { amount }
  if (kind === 'increment') {
    const path = '/simulate/authorizations/{id}:increment'
    return answered(issuing.POST(path, { body: { amount }, params }))
  }
  if (kind === 'reverse') {
    const path = '/simulate/authorizations/{id}:reverse'
    return answered(issuing.POST(path, { body: some, params }))
  }
  if (kind === 'clear') {
    const path = '/simulate/authorizations/{id}:clear'
    return answered(issuing.POST(path, { body: some, params }))
  }
  const { id: transaction_id, currency, cleared_amount } = transaction
  const body = { transaction_id, currency, amount: amount === '' ? cleared_amount : amount }
  return answered(issuing.POST('/simulate/refunds', { body, params: { header: once() } }))
}
