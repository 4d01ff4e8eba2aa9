/** The amount that a payout pays, and the changes of its status (D-735 to D-738). Pure. */

import { fail, ok, type Result } from '#lib/result.ts'
import type { PayoutStatus } from './schema.ts'

/** An operation that succeeded, or what a dispute moved; minor units of its currency. */
export type Part = {
  type: 'CAPTURE' | 'REFUND' | 'CHARGEBACK' | 'CHARGEBACK_REVERSAL'
  amount: bigint
  fee: bigint
}

export type Sums = {
  captures: number
  captured: bigint
  refunds: number
  refunded: bigint
  chargebacks: number
  /** Below zero where more was given back than taken. */
  charged_back: bigint
  fees: bigint
}

export type Previous = { number: bigint; status: PayoutStatus; amount: bigint }

function sumOf(parts: readonly Part[]): Sums {
  const of = (wanted: Part['type']) => parts.filter(({ type }) => type === wanted)
  const [captures, refunds] = [of('CAPTURE'), of('REFUND')]
  const [chargebacks, reversals] = [of('CHARGEBACK'), of('CHARGEBACK_REVERSAL')]
  return {
    captures: captures.length,
    captured: total(captures, 'amount'),
    refunds: refunds.length,
    refunded: total(refunds, 'amount'),
    chargebacks: chargebacks.length,
    charged_back: total(chargebacks, 'amount') - total(reversals, 'amount'),
    fees: total(parts, 'fee'),
  }
}

const total = (parts: readonly Part[], of: 'amount' | 'fee'): bigint =>
  parts.reduce((sum, part) => sum + part[of], 0n)

/** The net of sums; below zero if refunds, disputes and fees are more than the captures. */
export const netOf = ({ captured, refunded, charged_back, fees }: Sums): bigint =>
  captured - refunded - charged_back - fees

/**
 * The payout of these parts after the one before it, of the same merchant and currency. An amount
 * that is not above zero is not paid: the next payout takes it over.
 */
export function nextPayout(parts: readonly Part[], previous: Previous | undefined) {
  const sums = sumOf(parts)
  const carried = previous?.status === 'CARRIED' ? previous.amount : 0n
  const amount = netOf(sums) + carried
  const status: PayoutStatus = amount > 0n ? 'PENDING' : 'CARRIED'
  return { ...sums, number: (previous?.number ?? 0n) + 1n, carried, amount, status }
}

/** The statuses that the operator may set, by the present one. A FAILED payout is still owed. */
const NEXT: Readonly<Record<PayoutStatus, readonly PayoutStatus[]>> = {
  PENDING: ['PAID', 'FAILED'],
  FAILED: ['PAID'],
  PAID: [],
  CARRIED: [],
}

export function checkMove(
  from: PayoutStatus,
  to: 'PAID' | 'FAILED',
): Result<typeof to, 'payout_status_refused'> {
  if (NEXT[from].includes(to)) return ok(to)
  return fail('payout_status_refused', { detail: `The payout is ${from}.` })
}
