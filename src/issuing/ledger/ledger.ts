/**
 * Front door of the ledger: the only place where money moves. Every movement is a balanced transfer
 * between two accounts of one currency; a hold is a pending one (design, rule 3; D-35).
 */

import { createHash } from 'node:crypto'
import type { Tx } from '#kit/context.ts'
import { newId } from '#lib/id.ts'
import { Refusal } from '#lib/ruling.ts'
import { covers, credit, debit } from './rules.ts'
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

export {
  available,
  covers,
  credit,
  debit,
  forceDebit,
  forceHold,
  placeHold,
  releaseHold,
} from './rules.ts'
export type { Account, AccountState, HoldState, NewTransfer } from './schema.ts'
export { lockAccounts, sumEntries } from './store.ts'

const programKinds: readonly ProgramKind[] = ['FUNDING', 'EXTERNAL', 'SETTLEMENT', 'FEES']

/** The id of a program account follows from what it is, so that no batch has to look for it. */
export function programAccountId(tenant_id: string, kind: ProgramKind, currency: string): string {
  const known = `${tenant_id}|${kind}|${currency}`
  const remembered = programIds.get(known)
  if (remembered !== undefined) return remembered
  const hex = createHash('sha256').update(known).digest('hex')
  // Version 8 of RFC 9562: made from a name by our own rule.
  const id = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
  if (programIds.size < PROGRAM_IDS_REMEMBERED) programIds.set(known, id)
  return id
}

const PROGRAM_IDS_REMEMBERED = 10_000
const programIds = new Map<string, string>()

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
