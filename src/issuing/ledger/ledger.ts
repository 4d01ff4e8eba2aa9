/**
 * Public functions of the ledger: the only place where money moves. Every movement is a balanced
 * transfer between two accounts of one currency; a hold is a pending one (D-35).
 */

import { emitSequenced } from '#events/outbox.ts'
import type { Tx } from '#kit/context.ts'
import { Write } from '#kit/db/write.ts'
import { newId } from '#lib/id.ts'
import { accountCreated } from './events.ts'
import type { FundingAccount } from './funding_store.ts'
import { Movements } from './movements.ts'
import { programAccountId, summedKinds } from './rules.ts'
import type { KeptAccount, LedgerWrites, NewTransfer, ProgramKind } from './schema.ts'
import {
  insertCardAccounts,
  insertProgramAccounts,
  insertTransfers,
  lockAccounts,
  lockOpenings,
  updateAccounts,
  updateAccountUser,
} from './store.ts'

export { auditLedger } from './audit.ts'
export {
  type FundingAccount,
  type FundingUse,
  listFunding,
  listFundingUse,
  listLowFunding,
  listProgramAccounts,
} from './funding_store.ts'
export { Movements } from './movements.ts'
export { drawReservation, openUnownedAccounts, reserveFunding } from './reserve.ts'
export { waysInWords } from './rules/ways.ts'
export { programAccountId } from './rules.ts'
export type {
  Account,
  AccountState,
  KeptAccount,
  NewTransfer,
} from './schema.ts'
export {
  listTransfersOf,
  lockAccounts,
  lockFreeAccounts,
  type PostedTransfer,
} from './store.ts'

const programKinds: readonly ProgramKind[] = ['FUNDING', ...summedKinds]

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

/**
 * Opens an empty ACTIVE account for cards, and the program's accounts of its currency if they are
 * missing. The first of a user's currency is the default one. Emits SUCCESSFULLY_CREATED.
 */
export async function openCardAccount(tx: Tx, opening: Opening): Promise<{ id: string }> {
  const [id = ''] = await openCardAccounts(tx, [opening])
  return { id }
}

/** The same for several; answers their ids in the order of the openings. */
export async function openCardAccounts(tx: Tx, openings: readonly Opening[]): Promise<string[]> {
  if (openings.length === 0) return []
  const accounts = openings.map((opening) => ({ id: newId(), ...opening }))
  const currencies = [...new Set(openings.map(({ currency }) => currency))].sort()
  const emitted = emitSequenced(
    tx,
    accounts.map((account) => ({ ...accountCreated(account), sequence: 1 })),
  )
  // Sent together and run in this order, so the statements after the lock see all before it.
  await Promise.all([
    lockOpenings(
      tx,
      openings.map(({ user_id }) => user_id),
    ),
    ...currencies.map((currency) => openProgramAccounts(tx, currency)),
    insertCardAccounts(tx, accounts),
    emitted.start(),
  ])
  return accounts.map(({ id }) => id)
}

/**
 * An account without a user (D-38) gets its user; it becomes the default one of a user who has none
 * of its currency yet. Throws when there is no such account or it has a user.
 */
export async function assignAccount(tx: Tx, id: string, user_id: string): Promise<void> {
  const [, assigned] = await Promise.all([
    lockOpenings(tx, [user_id]),
    updateAccountUser(tx, id, user_id),
  ])
  if (!assigned) throw new Error(`account ${id} has a user or does not exist`)
}

/**
 * Moves money: 409 `insufficient_funds` when an account with a stored balance does not cover a
 * debit, `balance_too_large` when its balance would pass 15 digits. Each movement sees those before
 * it; all happen or none. Answers the ids of the transfers and the accounts after them.
 */
export async function move(tx: Tx, transfers: readonly NewTransfer[]) {
  const ids = transfers.flatMap((one) => [one.debit_account_id, one.credit_account_id])
  return moveLocked(tx, await lockAccounts(tx, [...new Set(ids)]), transfers)
}

/** As `move`, for a caller that has locked every account with a stored balance. */
export async function moveLocked(
  tx: Tx,
  locked: readonly KeptAccount[],
  transfers: readonly NewTransfer[],
) {
  const movements = new Movements(tx, locked)
  const transfer_ids = transfers.map((transfer) => movements.add(transfer))
  await movements.write(tx).start()
  return { transfer_ids, accounts: movements.accounts }
}

/**
 * Writes what a batch has decided, each account once. Fails if an account has changed since it was
 * read (kit/db/conflict.ts). The number of statements does not grow with the batch.
 */
export function writeLedger(tx: Tx, { accounts, counters, transfers }: LedgerWrites): Write {
  return Write.all(tx.db, updateAccounts(tx, accounts, counters), insertTransfers(tx, transfers))
}

/**
 * Money from the tenant's bank into its program funding account (D-35); `amount` in minor units.
 */
export async function fundProgram(
  tx: Tx,
  { currency, amount }: { currency: string; amount: bigint },
): Promise<{ transfer_id: string; funding: FundingAccount }> {
  await openProgramAccounts(tx, currency)
  const id = programAccountId(tx.tenant_id, 'FUNDING', currency)
  const debit_account_id = programAccountId(tx.tenant_id, 'EXTERNAL', currency)
  const { transfer_ids, accounts } = await move(tx, [
    { kind: 'PROGRAM_FUNDING', debit_account_id, credit_account_id: id, currency, amount },
  ])
  const [transfer_id = ''] = transfer_ids
  return { transfer_id, funding: { id, currency, balance: accounts.get(id)?.balance ?? 0n } }
}
