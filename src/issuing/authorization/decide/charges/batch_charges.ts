/**
 * The charges of a batch: those that its transactions raise and those that are given back. Pure.
 */

import { takenFrom } from '#issuing/charges/rules.ts'
import type { Arisen, Wanted } from '#issuing/charges/schema.ts'
import type { Account } from '#issuing/ledger/schema.ts'
import type { OpenTransaction } from '../rows.ts'

export class BatchCharges {
  readonly wanted: Arisen[] = []
  /** Transactions whose charges of before this batch are given back. */
  readonly reversed = new Set<string>()

  /** Returns the account after the charge: as it was, if it does not cover it. */
  add({ row }: OpenTransaction, account: Account, charge: Omit<Wanted, 'account_id' | 'currency'>) {
    const { id: account_id, currency } = account
    const after = takenFrom(account, charge)
    const transaction_id = row.id
    const taken = after !== undefined
    this.wanted.push({ ...charge, account_id, currency, transaction_id, taken })
    row.charged = true
    return after
  }

  /** Nothing of the transaction is posted any more. A charge that is raised after this is kept. */
  reverse({ row }: OpenTransaction): void {
    if (!row.charged) return
    this.reversed.add(row.id)
    for (const one of this.wanted) if (one.transaction_id === row.id) one.reversed = true
  }
}
