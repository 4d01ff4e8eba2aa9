/**
 * Movements of money in one transaction, each of which sees those before it; all are written or
 * none. Card accounts are written on the version that was read, locked or not. A funding account,
 * which every load changes, is written where it covers what is taken: no other load is in the way.
 */

import type { Context, Tx } from '#kit/context.ts'
import { Write } from '#kit/db/write.ts'
import { newId } from '#lib/id.ts'
import { unwrap } from '#lib/result.ts'
import { checkCredit, checkDebit, forceDebit, programAccountId, summedKinds } from './rules.ts'
import type { AccountChange, KeptAccount, NewTransfer } from './schema.ts'
import { insertTransfers, updateMovedAccounts } from './store.ts'

export class Movements {
  readonly #tenant_id: string
  readonly #read: ReadonlyMap<string, KeptAccount>
  readonly #accounts: Map<string, KeptAccount>
  readonly #moves: (NewTransfer & { id: string })[] = []

  /** `read` has every account with a stored balance that a movement names. */
  constructor({ tenant_id }: Pick<Context, 'tenant_id'>, read: readonly KeptAccount[]) {
    this.#tenant_id = tenant_id
    this.#read = new Map(read.map((account) => [account.id, account]))
    this.#accounts = new Map(this.#read)
  }

  /** The accounts after the movements that were added. */
  get accounts(): ReadonlyMap<string, KeptAccount> {
    return this.#accounts
  }

  /**
   * Adds a movement and answers its id. Adds nothing if it fails: with the errors of checkDebit and
   * checkCredit, or because an account with a stored balance is missing.
   */
  add({ id = newId(), ...movement }: NewTransfer): string {
    const { debit_account_id, credit_account_id, amount, forced } = movement
    if (debit_account_id === credit_account_id) throw new Error('a transfer has two accounts')
    const from = this.#partyOf(debit_account_id, movement)
    const debited = from && (forced ? forceDebit(from, amount) : unwrap(checkDebit(from, amount)))
    const to = this.#partyOf(credit_account_id, movement)
    const credited = to && unwrap(checkCredit(to, amount))
    for (const account of [debited, credited]) {
      if (account) this.#accounts.set(account.id, account)
    }
    this.#moves.push({ id, ...movement })
    return id
  }

  /**
   * The write of those that were added. It fails if an account does not permit it any more
   * (kit/db/conflict.ts).
   */
  write(tx: Tx): Write {
    // The accounts last: those that other requests wait for are locked until the COMMIT.
    return Write.all(
      tx.db,
      insertTransfers(tx, this.#moves),
      updateMovedAccounts(tx, this.#changes()),
    )
  }

  /** The account to change, or undefined for a program account whose balance is summed. */
  #partyOf(id: string, { currency }: NewTransfer): KeptAccount | undefined {
    const account = this.#accounts.get(id)
    if (account?.currency === currency) return account
    if (account) throw new Error('a transfer has one currency')
    if (!summedKinds.some((kind) => programAccountId(this.#tenant_id, kind, currency) === id)) {
      throw new Error('an account is missing')
    }
    return undefined
  }

  #changes(): AccountChange[] {
    const changes = new Map<string, AccountChange>()
    for (const { debit_account_id, credit_account_id, amount } of this.#moves) {
      this.#change(changes, debit_account_id, -amount)
      this.#change(changes, credit_account_id, amount)
    }
    return [...changes.values()]
  }

  #change(changes: Map<string, AccountChange>, id: string, amount: bigint): void {
    const [read, after] = [this.#read.get(id), this.#accounts.get(id)]
    if (!read || !after) return
    const known = read.kind === 'CARD' ? { floor: after.floor, version: read.version } : undefined
    const { moved, needed, raised } = changes.get(id) ?? { moved: 0n, needed: 0n, raised: 0n }
    const next = moved + amount
    changes.set(id, {
      id,
      moved: next,
      needed: -next > needed ? -next : needed,
      raised: next > raised ? next : raised,
      known,
    })
  }
}
