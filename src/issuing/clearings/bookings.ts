/** Bookings beside cards: suspense, and fees of the network (D-1043). */

import { openProgramAccounts, programAccountId, writeLedger } from '#issuing/ledger/ledger.ts'
import type { NewTransfer, ProgramKind } from '#issuing/ledger/schema.ts'
import type { Context, Tx } from '#kit/context.ts'
import { Write } from '#kit/db/write.ts'
import type { RecordRow } from './record_store.ts'

export type Money = { amount: bigint; currency: string }

/** The amount that the network settles of a record: the billed one, else the transaction's. */
export function settledOf({ facts, amount, currency }: RecordRow): Money | undefined {
  const { billed } = facts
  if (billed) return { amount: BigInt(billed.amount), currency: billed.currency }
  return amount === null || currency === null ? undefined : { amount, currency }
}

export type Booking = Money & { kind: string; from: ProgramKind; to: ProgramKind; notes?: string }

/** Money that the network takes comes out of suspense; money that it pays goes there. */
export const intoSuspense = (money: Money, credit: boolean): Booking => ({
  ...money,
  kind: 'SUSPENSE',
  ...(credit
    ? { from: 'SETTLEMENT' as const, to: 'SUSPENSE' as const }
    : { from: 'SUSPENSE' as const, to: 'SETTLEMENT' as const }),
})

export const outOfSuspense = (money: Money, credit: boolean): Booking =>
  intoSuspense(money, !credit)

export const writtenOff = (money: Money, credit: boolean): Booking => ({
  ...money,
  kind: 'SUSPENSE_WRITE_OFF',
  ...(credit
    ? { from: 'SUSPENSE' as const, to: 'FEES' as const }
    : { from: 'FEES' as const, to: 'SUSPENSE' as const }),
})

export const feeOf = (money: Money, credit: boolean): Booking => ({
  ...money,
  kind: 'SCHEME_FEE',
  ...(credit
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
