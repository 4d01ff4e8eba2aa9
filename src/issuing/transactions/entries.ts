/** The entries of the ledger that a card transaction has posted. */

import { listTransfersOf, type PostedTransfer } from '#issuing/ledger/ledger.ts'
import type { Context } from '#kit/context.ts'
import { formatAmount } from '#lib/money.ts'
import type { Entries } from './schema.ts'
import { findStoredTransaction } from './transactions.ts'

/** Oldest first, the debit of each movement before its credit. */
export async function listEntries(ctx: Context, id: string): Promise<Entries> {
  await findStoredTransaction(ctx, id)
  const transfers = await listTransfersOf(ctx, id)
  return { data: transfers.flatMap(sidesOf) }
}

function sidesOf(transfer: PostedTransfer): Entries['data'] {
  const { id: transfer_id, kind, currency, created } = transfer
  const shared = { transfer_id, kind, currency, created }
  const amount = formatAmount(transfer.amount, currency)
  const { debit_account_id, debit_kind, credit_account_id, credit_kind } = transfer
  return [
    {
      id: `${transfer_id}:debit`,
      ...shared,
      side: 'DEBIT',
      amount,
      account_id: debit_account_id,
      account_kind: debit_kind,
    },
    {
      id: `${transfer_id}:credit`,
      ...shared,
      side: 'CREDIT',
      amount,
      account_id: credit_account_id,
      account_kind: credit_kind,
    },
  ]
}
