/** Bookings beside cards: suspense, and fees of the network (D-1043). */

import { openProgramAccounts, programAccountId, writeLedger } from '#issuing/ledger/ledger.ts'
import type { NewTransfer, ProgramKind } from '#issuing/ledger/schema.ts'
import type { Context, Tx } from '#kit/context.ts'
import { Write } from '#kit/db/write.ts'
import type { RecordRow } from './record_store.ts'

/** The notes of the transfers of a record begin with it. */
export const NOTES = 'clearing'

export type Money = { amount: bigint; currency: string }

type Settled = Pick<RecordRow, 'facts' | 'amount' | 'currency'>

/** The amount that the network settles of a record: the billed one, else the transaction's. */
export function settledOf({ facts, amount, currency }: Settled): Money | undefined {
  const { billed } = facts
  if (billed) return { amount: BigInt(billed.amount), currency: billed.currency }
  return amount === null || currency === null ? undefined : { amount, currency }
}

export type Booking = Money & { kind: string; from: ProgramKind; to: ProgramKind; notes: string }

type Booked = Pick<RecordRow, 'file_id' | 'number' | 'credit'>

/** The transfers of a record name it, for the reconciliation of its file. */
const notesOf = ({ file_id, number }: Booked): string => `${NOTES} ${file_id}/${number}`

/** Money that the network takes comes out of suspense; money that it pays goes there. */
export const intoSuspense = (money: Money, record: Booked): Booking => ({
  ...money,
  notes: notesOf(record),
  kind: 'SUSPENSE',
  ...(record.credit
    ? { from: 'SETTLEMENT' as const, to: 'SUSPENSE' as const }
    : { from: 'SUSPENSE' as const, to: 'SETTLEMENT' as const }),
})

export const outOfSuspense = (money: Money, record: Booked): Booking =>
  intoSuspense(money, { ...record, credit: !record.credit })

export const writtenOff = (money: Money, record: Booked): Booking => ({
  ...money,
  notes: notesOf(record),
  kind: 'SUSPENSE_WRITE_OFF',
  ...(record.credit
    ? { from: 'SUSPENSE' as const, to: 'FEES' as const }
    : { from: 'FEES' as const, to: 'SUSPENSE' as const }),
})

export const feeOf = (money: Money, record: Booked): Booking => ({
  ...money,
  notes: notesOf(record),
  kind: 'SCHEME_FEE',
  ...(record.credit
    ? { from: 'SETTLEMENT' as const, to: 'FEES' as const }
    : { from: 'FEES' as const, to: 'SETTLEMENT' as const }),
})

const transferOf = (
  { tenant_id }: Pick<Context, 'tenant_id'>,
  { from, to, ...booking }: Booking,
): NewTransfer => ({
  ...booking,
  debit_account_id: programAccountId(tenant_id, from, booking.currency),
  credit_account_id: programAccountId(tenant_id, to, booking.currency),
})

/** The accounts of the program exist (`openAccounts`). */
export const writeBookings = (tx: Tx, bookings: readonly Booking[]): Write =>
  bookings.length === 0
    ? Write.of(tx.db)
    : writeLedger(tx, {
        accounts: [],
        transfers: bookings.map((booking) => transferOf(tx, booking)),
      })

/** Makes sure that the program's accounts of these currencies exist. */
export async function openAccounts(tx: Tx, currencies: Iterable<string>): Promise<void> {
  for (const currency of [...new Set(currencies)].sort()) await openProgramAccounts(tx, currency)
}
