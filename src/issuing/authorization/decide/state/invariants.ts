/**
 * A decision is compared with itself, in production too: a fault of ours must not become an
 * approval. The message is answered 9109, and nothing of it is kept. Amounts are minor units.
 */

import type { AccountState, NewTransfer } from '#issuing/ledger/schema.ts'
import { clearedOf, heldOf, refundedOf, type TransactionRow } from '#issuing/transactions/rules.ts'
import type { OpenTransaction } from '../rows.ts'

export class InvariantViolated extends Error {
  override name = 'InvariantViolated'
}

/** The accounts and transactions that one decision changes, as they were before it. */
export class DecisionChanges {
  readonly #held = new Map<OpenTransaction, bigint>()
  readonly #accounts = new Map<string, AccountState>()
  readonly #written = new Set<OpenTransaction>()
  readonly #charged = new Map<string, bigint>()

  /** Called before each change; a new transaction held nothing before. */
  noteTransaction(open: OpenTransaction, held = open.row.held): void {
    if (!this.#held.has(open)) this.#held.set(open, held)
  }

  /** The transaction is written with an event of this decision. */
  noteWritten(open: OpenTransaction): void {
    this.#written.add(open)
  }

  noteAccount(before: AccountState): void {
    if (!this.#accounts.has(before.id)) this.#accounts.set(before.id, before)
  }

  noteCharge(account_id: string, amount: bigint): void {
    this.#charged.set(account_id, (this.#charged.get(account_id) ?? 0n) + amount)
  }

  /** `transfers` are those of this decision. */
  assertSound(
    accountNow: (id: string) => AccountState | undefined,
    transfers: readonly NewTransfer[],
  ): void {
    for (const transfer of transfers) assertTransfer(transfer)
    const held = new Map<string, bigint>()
    for (const [open, before] of this.#held) {
      const { row } = open
      assertTransaction(row)
      if (row.held !== before && !this.#written.has(open))
        violated(`transaction ${row.id} holds ${row.held}, and is written with ${before}`)
      const id = row.account_id ?? ''
      held.set(id, (held.get(id) ?? 0n) + row.held - before)
    }
    for (const id of new Set([...held.keys(), ...this.#accounts.keys()])) {
      const before = this.#accounts.get(id)
      const after = accountNow(id)
      const [of_account, of_transactions] = [
        differenceOf('held', before, after),
        held.get(id) ?? 0n,
      ]
      if (of_account !== of_transactions)
        violated(
          `account ${id}: held moves by ${of_account}, its transactions by ${of_transactions}`,
        )
      const moved = differenceOf('balance', before, after)
      const entries = entriesOf(id, transfers) - (this.#charged.get(id) ?? 0n)
      if (moved !== entries)
        violated(`account ${id}: balance moves by ${moved}, entries by ${entries}`)
    }
  }
}

const differenceOf = (name: 'held' | 'balance', before?: AccountState, after?: AccountState) =>
  before && after ? after[name] - before[name] : 0n

const entriesOf = (id: string, transfers: readonly NewTransfer[]): bigint =>
  transfers.reduce((sum, { debit_account_id, credit_account_id, amount }) => {
    if (credit_account_id === id) return sum + amount
    return debit_account_id === id ? sum - amount : sum
  }, 0n)

function assertTransfer({ kind, amount, debit_account_id, credit_account_id }: NewTransfer): void {
  if (amount <= 0n) violated(`a transfer ${kind} of ${amount}`)
  if (debit_account_id === credit_account_id) violated(`a transfer ${kind} of an account to itself`)
}

function assertTransaction(row: TransactionRow): void {
  const { id, status, cleared_amount } = row
  const amounts = [row.held, heldOf(row), cleared_amount, clearedOf(row), refundedOf(row)]
  if (amounts.some((amount) => amount < 0n)) violated(`transaction ${id} has less than nothing`)
  if (status !== 'PENDING' && row.held !== 0n) violated(`transaction ${id} is ${status} and holds`)
  const isVoid = status === 'DECLINED' || status === 'VOIDED'
  if (isVoid && clearedOf(row) !== 0n) violated(`transaction ${id} is ${status} and cleared`)
  if (refundedOf(row) > clearedOf(row))
    violated(`of transaction ${id} more is refunded than cleared`)
}

function violated(what: string): never {
  throw new InvariantViolated(what)
}
