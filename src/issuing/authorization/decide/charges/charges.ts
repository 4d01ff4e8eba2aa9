/**
 * Charges for card transactions: for cash withdrawals, and for another currency than the account's.
 * They are taken when money of the transaction is posted, and are part of the amount that a request
 * needs (D-477). Pure.
 */

import type { Wanted } from '#issuing/charges/schema.ts'
import type { Account } from '#issuing/ledger/schema.ts'
import { chargedOn, chargeOf } from '#issuing/products/rules.ts'
import type { ProductChargeType } from '#issuing/products/schema.ts'
import type { OpenTransaction } from '../checks/evidence.ts'
import type { DecisionInput } from '../decision_input.ts'
import { isWithdrawal, kindOf } from '../kinds.ts'
import type { WorkingSet } from '../state/working_set.ts'

type Message = Pick<DecisionInput, 'request' | 'card'>
type ChargeOfTransaction = Pick<Wanted, 'type' | 'amount' | 'description'>

const NONE: readonly ChargeOfTransaction[] = []

/**
 * The charges for posting `billing`, minor units of the account's currency. A fixed charge is taken
 * with the first posting of a transaction, a percentage with each.
 */
export function chargesOn(
  { request, card }: Message,
  currency: string | undefined,
  billing: bigint,
  first: boolean,
): readonly ChargeOfTransaction[] {
  if (!card || card.charges.length === 0 || billing <= 0n) return NONE
  const { direction, type } = kindOf(request)
  if (direction !== 'debit') return NONE
  const types: ProductChargeType[] = []
  if (isWithdrawal(type)) types.push('CASH_WITHDRAWAL')
  if (request.currency !== currency) types.push('FOREIGN_CURRENCY')
  return types.flatMap((type) => {
    const charge = chargeOf(card.charges, type)
    if (!charge || (charge.amount !== undefined && !first)) return []
    const amount = chargedOn(charge, billing)
    return amount > 0n ? [{ type, amount, description: charge.description }] : []
  })
}

/**
 * The charges that a request needs beyond its amount; zero if charges may take the balance below
 * zero.
 */
export function chargeNeeded(
  message: Message,
  account: Account | undefined,
  billing: bigint,
  first: boolean,
): bigint {
  if (!account || message.card?.allow_negative_charges) return 0n
  return chargesOn(message, account.currency, billing, first).reduce(
    (sum, { amount }) => sum + amount,
    0n,
  )
}

/** The most that `available` pays together with its charges, minor units. */
export function payable(
  message: Message,
  account: Account | undefined,
  available: bigint,
  first: boolean,
): bigint {
  if (available <= 0n || chargeNeeded(message, account, available, first) === 0n) return available
  let low = 0n
  let high = available
  while (high - low > 1n) {
    const half = (low + high) / 2n
    if (half + chargeNeeded(message, account, half, first) <= available) low = half
    else high = half
  }
  return low
}

/** The charges of so much that was just posted for the transaction. */
export function chargePosting(
  workingSet: WorkingSet,
  input: DecisionInput,
  open: OpenTransaction,
  { billing, first }: { billing: bigint; first: boolean },
): void {
  const { card } = input
  const account = workingSet.account(open.row.account_id)
  if (!card || !account) return
  for (const charge of chargesOn(input, account.currency, billing, first)) {
    workingSet.charge(open, {
      ...charge,
      card_id: card.card_id,
      forced: card.allow_negative_charges,
    })
  }
}
