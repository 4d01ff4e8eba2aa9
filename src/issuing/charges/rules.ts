/** The amounts and times of charges, and whether the account covers them (D-475 to D-478). Pure. */

import { covers, debit, forceDebit, programAccountId } from '#issuing/ledger/rules.ts'
import type { AccountState, NewTransfer } from '#issuing/ledger/schema.ts'
import { formatAmount } from '#lib/money.ts'
import { addMonths, endOfMonth, formatDate } from '#lib/time.ts'
import { instantOfDay } from '#lib/window.ts'
import type { ChargeRow, Wanted } from './schema.ts'

const HOUR_MS = 3600 * 1000
/** How often a charge is tried that the account did not cover, and for how long. */
export const RETRY_MS = HOUR_MS
const RETRIED_FOR_MS = 90 * 24 * HOUR_MS

/** The charge as it arises, before anything is taken. */
export function newCharge(now: Date, id: string, wanted: Wanted): ChargeRow {
  const { account_id, type, amount, currency, month = null } = wanted
  const { card_id = null, transaction_id = null, description = null } = wanted
  return {
    id,
    account_id,
    card_id,
    transaction_id,
    type,
    amount,
    currency,
    description,
    month,
    status: 'PENDING',
    due: retryAt(now),
    transfer_id: null,
    applied: null,
    created: now,
    modified: now,
  }
}

/** The account after a charge; undefined if it does not cover it. No part is ever taken. */
export function takenFrom<State extends AccountState>(
  account: State,
  { amount, forced = false }: { amount: bigint; forced?: boolean },
): State | undefined {
  if (forced) return forceDebit(account, amount)
  return covers(account, amount) ? debit(account, amount) : undefined
}

/** The charge once it is taken by this transfer. */
export function appliedBy(now: Date, row: ChargeRow, transfer_id: string): ChargeRow {
  return { ...row, status: 'APPLIED', due: null, applied: now, modified: now, transfer_id }
}

/** A charge that was not covered again: later, or never. */
export function postponed(now: Date, row: ChargeRow): ChargeRow {
  if (now.getTime() - row.created.getTime() < RETRIED_FOR_MS) return { ...row, due: retryAt(now) }
  return givenUp(now, row)
}

/** A charge that is not taken any more. */
export const givenUp = (now: Date, row: ChargeRow): ChargeRow => ({
  ...row,
  status: 'CANCELED',
  due: null,
  modified: now,
})

const retryAt = (now: Date): Date => new Date(now.getTime() + RETRY_MS)

/** The movement of a charge that is taken, from the account to the fees of the program. */
export function chargeTransfer(tenant_id: string, row: ChargeRow, forced = false): NewTransfer {
  const { account_id, transfer_id } = row
  return {
    ...sharedOf(row),
    kind: 'CHARGE',
    debit_account_id: account_id,
    credit_account_id: programAccountId(tenant_id, 'FEES', row.currency),
    ...(transfer_id !== null && { id: transfer_id }),
    ...(forced && { forced: true }),
  }
}

/** The movement that gives it back. */
export function reversalTransfer(tenant_id: string, row: ChargeRow): NewTransfer {
  return {
    ...sharedOf(row),
    kind: 'CHARGE_REVERSAL',
    debit_account_id: programAccountId(tenant_id, 'FEES', row.currency),
    credit_account_id: row.account_id,
  }
}

const sharedOf = ({ currency, amount, transaction_id, description }: ChargeRow) => ({
  currency,
  amount,
  ...(transaction_id !== null && { transaction_id }),
  ...(description !== null && { notes: description }),
})

/**
 * When the charge of month `month` (1 is the first after the issuing) is due: at the beginning of
 * the same day of the month in the zone, or of the last day of a month that has no such day.
 */
export function dueOfMonth(issued: string, month: number, time_zone: string): Date {
  const reached = addMonths(issued.slice(0, 7), month)
  const last = formatDate(endOfMonth(reached)).slice(8)
  const day = issued.slice(8) < last ? issued.slice(8) : last
  return instantOfDay(`${reached}-${day}`, time_zone)
}

export function presentCharge(row: ChargeRow) {
  const { card_id, transaction_id, description, transfer_id, applied } = row
  const { id, account_id, type, status, amount, currency, created, modified } = row
  return {
    id,
    account_id,
    type,
    status,
    currency,
    created,
    modified,
    amount: formatAmount(amount, currency),
    ...(card_id !== null && { card_id }),
    ...(transaction_id !== null && { transaction_id }),
    ...(description !== null && { description }),
    ...(transfer_id !== null && { transfer_id }),
    ...(applied !== null && { applied }),
  }
}
