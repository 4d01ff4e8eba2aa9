/** The messages of the simulator: each is one call, with what is read before and after it. */

import { accountsOf } from '../../api/cards.ts'
import { answered, issuing } from '../../api/client.ts'
import { queries } from '../../api/session.ts'
import type { Account, Check, Decision, Transaction } from '../../api/types.ts'
import { bodyOf, type Typed } from './typed.ts'

export type NextKind = 'increment' | 'reverse' | 'clear' | 'refund'

export type Outgoing =
  | { kind: 'request'; typed: Typed }
  /** `amount` as it was typed, in major units; '' for all of it. */
  | { kind: NextKind; transaction: Transaction; amount: string }

export type Exchange = {
  /** Counted from the opening of the page. */
  id: number
  outgoing: Outgoing
  card_id: string
  /** The accounts of the card around the message. */
  before: readonly Account[]
  after: readonly Account[]
  checks: readonly Check[]
} & (
  | {
      kind: 'transaction'
      message: Transaction
      /** The transaction that other messages can follow. */
      life: Transaction
    }
  | { kind: 'what_if'; message: Decision }
)

let next_id = 1

export async function send(key: string, outgoing: Outgoing): Promise<Exchange> {
  const isRequest = outgoing.kind === 'request'
  const card_id = isRequest ? outgoing.typed.card_id : (outgoing.transaction.card_id ?? '')
  const before = await readAccounts(card_id)
  const message = await (isRequest ? request(outgoing.typed, key) : follow(outgoing, key))
  const seen = { id: next_id++, outgoing, card_id, before }
  if ('max_approved_amount' in message) {
    return { ...seen, after: before, kind: 'what_if', message, checks: message.checks }
  }
  const [after, trace, life] = await Promise.all([
    readAccounts(card_id),
    answered(issuing.transactions.getTrace(message.id)),
    isRequest || message.id === outgoing.transaction.id
      ? message
      : readTransaction(outgoing.transaction.id),
  ])
  return { ...seen, after, kind: 'transaction', message, life, checks: trace.checks }
}

const readAccounts = async (card_id: string): Promise<readonly Account[]> =>
  card_id === '' ? [] : queries.fetchQuery(accountsOf(card_id))

const readTransaction = (id: string): Promise<Transaction> => answered(issuing.transactions.get(id))

function request(typed: Typed, key: string): Promise<Transaction | Decision> {
  const query = typed.mode === 'what_if' ? { what_if: true } : {}
  return answered(issuing.simulation.authorization(bodyOf(typed), query, { idempotencyKey: key }))
}

/** One message that follows a transaction. */
export function follow(outgoing: Outgoing & { kind: NextKind }, key: string): Promise<Transaction> {
  const { kind, transaction, amount } = outgoing
  const some = amount === '' ? {} : { amount }
  if (kind === 'increment') {
    return answered(
      issuing.simulation.increment(transaction.id, { amount }, { idempotencyKey: key }),
    )
  }
  if (kind === 'reverse') {
    return answered(issuing.simulation.reversal(transaction.id, some, { idempotencyKey: key }))
  }
  if (kind === 'clear') {
    return answered(issuing.simulation.clearing(transaction.id, some, { idempotencyKey: key }))
  }
  const { id: transaction_id, currency } = transaction
  const body = { transaction_id, currency, amount: amount === '' ? leftOf(transaction) : amount }
  return answered(issuing.simulation.refund(body, { idempotencyKey: key }))
}

/**
 * The amount that is cleared and not refunded, in the currency of the transaction. For a payment in
 * another currency, whose sums are in the account's, it is the amount of the transaction.
 */
function leftOf(transaction: Transaction): number {
  const { amount, currency, billing_currency, cleared_amount, refunded_amount } = transaction
  if (billing_currency !== undefined && billing_currency !== currency) return amount
  // Sums of cents that are fractions of two: 0.3 - 0.1 is not 0.2.
  const digits = digitsOf(currency)
  return Number((cleared_amount - refunded_amount).toFixed(digits))
}

const digitsOf = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
    .maximumFractionDigits ?? 2

/** Requests that can follow, by the state of the transaction. */
export function nextOf(transaction: Transaction): readonly NextKind[] {
  const { status, cleared_amount, refunded_amount } = transaction
  const refund = cleared_amount > refunded_amount ? (['refund'] as const) : []
  if (status === 'PENDING') return ['clear', 'increment', 'reverse', ...refund]
  // The network may present late; a hold that has ended is posted all the same.
  if (status === 'EXPIRED') return ['clear', ...refund]
  return status === 'SETTLED' ? refund : []
}

/** The code that the message was answered with, which is not always that of its transaction. */
export function verdictOf(sent: Exchange): { code: string; isDeclined: boolean } {
  const { status, status_code } = sent.message
  const last = sent.kind === 'transaction' ? sent.message.events.at(-1) : undefined
  const isRefused = last?.type === 'REFUSED' || last?.type === 'DECLINED'
  return { code: last?.status_code ?? status_code, isDeclined: isRefused || status === 'DECLINED' }
}
