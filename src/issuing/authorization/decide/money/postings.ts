/** The transfers of postings: none if nothing moves. Pure. */

import { programAccountId } from '#issuing/ledger/rules.ts'
import type { Account, NewTransfer } from '#issuing/ledger/schema.ts'

type Posting = { kind: string; amount: bigint; id: string }

/** Between the account and the settlement with the card network; minor units. */
export function postingOf(
  tenant_id: string,
  { id: account_id, currency }: Pick<Account, 'id' | 'currency'>,
  { kind, amount, id: transaction_id }: Posting,
  way: 'in' | 'out',
): NewTransfer[] {
  // A part of a transaction in another currency may come to nothing.
  if (amount === 0n) return []
  const settlement = programAccountId(tenant_id, 'SETTLEMENT', currency)
  const [debit_account_id, credit_account_id] =
    way === 'out' ? [account_id, settlement] : [settlement, account_id]
  return [{ kind, debit_account_id, credit_account_id, currency, amount, transaction_id }]
}

/** The transfers of the program's loss by exchange, a gain if negative; minor units (D-457). */
export function exchangeOf(
  tenant_id: string,
  currency: string,
  loss: bigint,
  transaction_id: string,
): NewTransfer[] {
  if (loss === 0n) return []
  const fx = programAccountId(tenant_id, 'FX', currency)
  const settlement = programAccountId(tenant_id, 'SETTLEMENT', currency)
  const [debit_account_id, credit_account_id] = loss > 0n ? [fx, settlement] : [settlement, fx]
  const amount = loss > 0n ? loss : -loss
  const accounts = { debit_account_id, credit_account_id, currency }
  return [{ kind: 'FX_DIFFERENCE', ...accounts, amount, transaction_id }]
}
