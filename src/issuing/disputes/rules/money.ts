/**
 * The money of a dispute (D-1062). One table says where the amount is in each state; the transfers
 * of a move are the difference of two rows. Minor units of the account's currency. Pure.
 */

import { programAccountId } from '#issuing/ledger/rules.ts'
import type { NewTransfer } from '#issuing/ledger/schema.ts'
import { portionOf } from '#lib/money.ts'
import type { DisputeStatus, Outcome } from './states.ts'

export const credits = ['NONE', 'AT_SUBMISSION', 'AT_CHARGEBACK'] as const
export type ProvisionalCredit = (typeof credits)[number]

/** KEPT: the part that the merchant's side did not take back by a second presentment. */
type Share = 'NOTHING' | 'WHOLE' | 'KEPT'

/** The share that the card network has given back, and that of the cardholder, by the setting. */
type Position = { recovered: Share; credited: Readonly<Record<ProvisionalCredit, Share>> }

const forAll = (share: Share) => ({ NONE: share, AT_SUBMISSION: share, AT_CHARGEBACK: share })
const provisional = { NONE: 'NOTHING', AT_SUBMISSION: 'WHOLE', AT_CHARGEBACK: 'WHOLE' } as const
const atSubmission = { ...provisional, AT_CHARGEBACK: 'NOTHING' } as const

const nothing: Position = { recovered: 'NOTHING', credited: forAll('NOTHING') }
const won: Position = { recovered: 'WHOLE', credited: forAll('WHOLE') }
const lost: Position = { recovered: 'KEPT', credited: forAll('KEPT') }

/** EXPIRED is where its outcome is. */
export const positions: Readonly<Record<Exclude<DisputeStatus, 'EXPIRED'>, Position>> = {
  DRAFT: nothing,
  SUBMITTED: { recovered: 'NOTHING', credited: atSubmission },
  CHARGED_BACK: { recovered: 'WHOLE', credited: provisional },
  REPRESENTED: { recovered: 'KEPT', credited: provisional },
  PRE_ARBITRATION: { recovered: 'WHOLE', credited: provisional },
  WON: won,
  LOST: lost,
  ACCEPTED: lost,
  WITHDRAWN: nothing,
}

export type Amounts = {
  amount: bigint
  /** The part of the amount that the network has settled, if a rate lies between. */
  settled: bigint
  represented: bigint
  credited: bigint
  recovered: bigint
}

type Placed = Amounts & {
  status: DisputeStatus
  outcome: Outcome | null
  provisional_credit: ProvisionalCredit
}

/** The places of the amount in a state. */
export function placesOf(of: Placed): Pick<Amounts, 'credited' | 'recovered'> {
  const { status, outcome, provisional_credit, amount, represented } = of
  const ended = outcome === 'WON' ? won : outcome === 'LOST' ? lost : nothing
  const position = status === 'EXPIRED' ? ended : positions[status]
  const shares = { NOTHING: 0n, WHOLE: amount, KEPT: amount - represented }
  return {
    credited: shares[position.credited[provisional_credit]],
    recovered: shares[position.recovered],
  }
}

type Booked = Amounts & { transaction_id: string; account_id: string; currency: string }

/** The transfers between two states, and what the account lacked of what was taken back. */
export type Postings = { transfers: NewTransfer[]; debt: bigint }

/**
 * `covered` is what the account has. The program bears the rest: its fees pay it, and a charge
 * gets it back.
 */
export function postingsOf(
  tenant_id: string,
  before: Booked,
  after: Pick<Amounts, 'credited' | 'recovered'>,
  covered: bigint,
): Postings {
  const { account_id, currency, transaction_id } = before
  const own = (kind: 'DISPUTES' | 'SETTLEMENT' | 'FX' | 'FEES') =>
    programAccountId(tenant_id, kind, currency)
  const transfers: NewTransfer[] = []
  const add = (kind: string, from: string, to: string, amount: bigint) => {
    if (amount < 0n) throw new RangeError('a posting of a dispute is not negative')
    if (amount === 0n) return
    const accounts = { debit_account_id: from, credit_account_id: to }
    transfers.push({ kind, ...accounts, currency, amount, transaction_id })
  }
  const disputes = own('DISPUTES')

  const got = after.recovered - before.recovered
  const settled = settledPart(before, after.recovered) - settledPart(before, before.recovered)
  if (got > 0n) add('DISPUTE_CHARGEBACK', own('SETTLEMENT'), disputes, settled)
  else add('DISPUTE_REPRESENTMENT', disputes, own('SETTLEMENT'), -settled)
  const exchanged = got - settled
  if (exchanged > 0n) add('DISPUTE_EXCHANGE', own('FX'), disputes, exchanged)
  else add('DISPUTE_EXCHANGE', disputes, own('FX'), -exchanged)

  const given = after.credited - before.credited
  if (given >= 0n) {
    add('DISPUTE_CREDIT', disputes, account_id, given)
    return { transfers, debt: 0n }
  }
  const taken = covered > -given ? -given : covered
  const debt = -given - taken
  add('DISPUTE_CREDIT_REVERSAL', account_id, disputes, taken)
  add('DISPUTE_WRITE_OFF', own('FEES'), disputes, debt)
  return { transfers, debt }
}

const settledPart = ({ amount, settled }: Amounts, part: bigint): bigint =>
  portionOf(settled, amount, part)
