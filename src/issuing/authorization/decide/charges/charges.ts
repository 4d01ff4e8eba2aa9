/**
 * Charges for card transactions: for cash withdrawals, and for another currency than the account's.
 * They are taken when money of the transaction is posted, and are part of the amount that a request
 * needs (D-477). Pure.
 */

import type { Wanted } from '#issuing/charges/schema.ts'
import { chargedOn, chargeOf } from '#issuing/products/rules.ts'
import type { ProductChargeType } from '#issuing/products/schema.ts'
import type { Case } from '../case.ts'
import { isWithdrawal } from '../kinds.ts'
import { coveredBy } from '../money/billing.ts'
import type { OpenTransaction } from '../rows.ts'
import type { WorkingSet } from '../state/working_set.ts'

type ChargeOfTransaction = Pick<Wanted, 'type' | 'amount' | 'description'>

const NONE: readonly ChargeOfTransaction[] = []

/**
 * The charges for posting `billing`, minor units of the account's currency. A fixed charge is taken
 * with the first posting of a transaction, a percentage with each.
 */
function chargesOn(
  { request, kind, product }: Case,
  currency: string | undefined,
  billing: bigint,
  first: boolean,
): readonly ChargeOfTransaction[] {
  if (!product || product.charges.length === 0 || billing <= 0n) return NONE
  const { direction, type } = kind
  if (direction !== 'debit') return NONE
  const types: ProductChargeType[] = []
  if (isWithdrawal(type)) types.push('CASH_WITHDRAWAL')
  if (request.currency !== currency) types.push('FOREIGN_CURRENCY')
  return types.flatMap((type) => {
    const charge = chargeOf(product.charges, type)
    if (!charge || (charge.amount !== undefined && !first)) return []
    const amount = chargedOn(charge, billing)
    return amount > 0n ? [{ type, amount, description: charge.description }] : []
  })
}

/**
 * The charges that a request needs beyond its amount; zero if charges may take the balance below
 * zero.
 */
export function chargeNeeded(input: Case, billing: bigint): bigint {
  const { account, product, raised } = input
  if (!account || product?.allow_negative_charges) return 0n
  return chargesOn(input, account.currency, billing, !raised).reduce(
    (sum, { amount }) => sum + amount,
    0n,
  )
}

/** Minor units of the message's currency that `available` pays together with the charges. */
export const covered = (input: Case, available: bigint): bigint =>
  coveredBy(input, payable(input, available))

/** The most that `available` pays together with its charges, minor units of the account's. */
function payable(input: Case, available: bigint): bigint {
  if (available <= 0n || chargeNeeded(input, available) === 0n) return available
  let low = 0n
  let high = available
  while (high - low > 1n) {
    const half = (low + high) / 2n
    if (half + chargeNeeded(input, half) <= available) low = half
    else high = half
  }
  return low
}

/** The charges of so much that was just posted for the transaction. */
export function chargePosting(
  workingSet: WorkingSet,
  input: Case,
  open: OpenTransaction,
  { billing, first }: { billing: bigint; first: boolean },
): void {
  const { card, product } = input
  const account = workingSet.account(open.row.account_id)
  if (!card || !product || !account) return
  for (const charge of chargesOn(input, account.currency, billing, first)) {
    workingSet.charge(open, {
      ...charge,
      card_id: card.card_id,
      forced: product.allow_negative_charges,
    })
  }
}
