/**
 * Movements of several requests in one transaction, decided on accounts that were read without a
 * lock. They are written if the card accounts have not changed since (their versions), and if the
 * funding accounts, which every load changes, have the taken amount: no other load is in the way.
 */

import type { Context, Tx } from '#kit/context.ts'
import { Write } from '#kit/db/write.ts'
import { newId } from '#lib/id.ts'
import { planMoves } from './planning.ts'
import type { AccountChange, KeptAccount, NewTransfer } from './schema.ts'
import { insertTransfers, updateMovedAccounts } from './store.ts'

/** A movement with the two accounts after it. */
export type PlannedMove = { transfer_id: string; accounts: Map<string, KeptAccount> }

export class Movements {
  readonly #tenant_id: string
  readonly #read: ReadonlyMap<string, KeptAccount>
  readonly #accounts: Map<string, KeptAccount>
  readonly #moves: NewTransfer[] = []
  readonly #ids: string[] = []

  /** `read` has every account with a stored balance that a movement names. */
  constructor({ tenant_id }: Pick<Context, 'tenant_id'>, read: readonly KeptAccount[]) {
    this.#tenant_id = tenant_id
    this.#read = new Map(read.map((account) => [account.id, account]))
    this.#accounts = new Map(this.#read)
  }

  /** The result of `move` after those that were added; fails as it does, and adds nothing. */
  plan(movement: NewTransfer): PlannedMove {
    const ids = [movement.debit_account_id, movement.credit_account_id]
    const parties = ids.flatMap((id) => this.#accounts.get(id) ?? [])
    return { transfer_id: newId(), accounts: planMoves(this.#tenant_id, parties, [movement]) }
  }

  add(movement: NewTransfer, { transfer_id, accounts }: PlannedMove): void {
    this.#moves.push(movement)
    this.#ids.push(transfer_id)
    for (const account of accounts.values()) this.#accounts.set(account.id, account)
  }

  /**
   * The write of those that were added. It fails if an account does not permit it any more
   * (kit/db/conflict.ts).
   */
  write(tx: Tx): Write {
    // The accounts last: those that other requests wait for are locked until the COMMIT.
    return Write.all(
      tx.db,
      insertTransfers(tx, this.#moves, this.#ids),
      updateMovedAccounts(tx, this.#changes()),
    )
  }

  #changes(): AccountChange[] {
    const changes = new Map<string, AccountChange>()
    const changeOf = (id: string) => {
      const [read, after] = [this.#read.get(id), this.#accounts.get(id)]
      if (!read || !after) return undefined
      const known = read.kind === 'CARD' ? { floor: after.floor, version: read.version } : undefined
      const change = changes.get(id) ?? { id, taken: 0n, added: 0n, known }
      changes.set(id, change)
      return change
    }
    for (const { debit_account_id, credit_account_id, amount } of this.#moves) {
      const [from, to] = [changeOf(debit_account_id), changeOf(credit_account_id)]
      if (from) from.taken += amount
      if (to) to.added += amount
    }
    return [...changes.values()]
  }
}
