/**
 * Front door of the ledger: the only place where money moves. Every movement is a balanced transfer
 * between two accounts of one currency; a hold is a pending one (design, rule 3; D-35).
 */

import type { Tx } from '#kit/context.ts'
import { newId } from '#lib/id.ts'
import { Refusal } from '#lib/ruling.ts'
import { covers, credit, debit, programAccountId } from './rules.ts'
import type { Account, AccountState, HoldState, NewTransfer, ProgramKind } from './schema.ts'
import {
  insertCardAccount,
  insertHolds,
  insertProgramAccounts,
  insertTransfers,
  lockAccounts,
  updateAccounts,
  updateHolds,
} from './store.ts'

export { available, covers, programAccountId } from './rules.ts'
export type { Account, AccountState, HoldState, NewTransfer } from './schema.ts'
export { lockAccounts, sumEntries } from './store.ts'

const programKinds: readonly ProgramKind[] = ['FUNDING', 'EXTERNAL', 'SETTLEMENT', 'FEES']

/** Makes sure that the program's accounts of a currency exist. */
export async function openProgramAccounts(tx: Tx, currency: string): Promise<void> {
  await insertProgramAccounts(
    tx,
    programKinds.map((kind) => ({
      id: programAccountId(tx.tenant_id, kind, currency),
      kind,
      currency,
    })),
  )
}

type Opening = { currency: string; user_id: string; card_product_id: string }

/** Opens an empty card account. The first of a user's currency is the default. */
export async function openCardAccount(tx: Tx, opening: Opening): Promise<{ id: string }> {
  const id = newId()
  await Promise.all([
    openProgramAccounts(tx, opening.currency),
    insertCardAccount(tx, { id, ...opening }),
  ])
  return { id }
}

/**
 * Moves money that may be refused: 409 `insufficient_funds` when an account that keeps its balance
 * does not cover what is taken. All movements happen or none. Answers the ids of the transfers and
 * the accounts as they stand afterwards.
 */
export async function move(
  tx: Tx,
  movements: readonly NewTransfer[],
): Promise<{ transfer_ids: string[]; accounts: Map<string, Account> }> {
  const ids = movements.flatMap((one) => [one.debit_account_id, one.credit_account_id])
  const locked = await lockAccounts(tx, [...new Set(ids)])
  const accounts = new Map(locked.map((account) => [account.id, account]))
  for (const movement of movements) apply(accounts, movement)
  const [transfer_ids] = await Promise.all([
    insertTransfers(tx, movements),
    updateAccounts(tx, [...accounts.values()]),
  ])
  return { transfer_ids, accounts }
}

function apply(accounts: Map<string, Account>, movement: NewTransfer): void {
  const { debit_account_id, credit_account_id, currency, amount } = movement
  const from = accounts.get(debit_account_id)
  const to = accounts.get(credit_account_id)
  for (const account of [from, to]) {
    if (account && account.currency !== currency) throw new Error('a transfer has one currency')
  }
  if (from && !covers(from, amount)) throw new Refusal('insufficient_funds')
  if (from) accounts.set(from.id, debit(from, amount))
  if (to) accounts.set(to.id, credit(to, amount))
}

/** Writes what a batch has decided under lock; the constraints check it again. */
export async function writeLedger(
  tx: Tx,
  writes: {
    accounts: readonly AccountState[]
    transfers: readonly NewTransfer[]
    holds: readonly HoldState[]
  },
): Promise<void> {
  await Promise.all([
    updateAccounts(tx, writes.accounts),
    insertTransfers(tx, writes.transfers),
    insertHolds(
      tx,
      writes.holds.filter(({ is_new }) => is_new),
    ),
    updateHolds(
      tx,
      writes.holds.filter(({ is_new }) => !is_new),
    ),
  ])
}
