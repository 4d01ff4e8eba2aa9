/**
 * The rows read for a batch, with the writes of the batches before it: those may not have been
 * visible yet when it was read. Pure.
 */

import type { Chip } from '#issuing/chips/schema.ts'
import type { Account } from '#issuing/ledger/schema.ts'
import { type HolderCounters, laidOver } from '#issuing/limits/rules.ts'
import type { OpenTransaction } from '../decide/rows.ts'
import type { Gathered } from '../decide/state/gathered.ts'
import type { WorkingSet } from '../decide/state/working_set.ts'

/**
 * `before` are the batches whose commit was not known when the reading began, the earliest first.
 * The later state of an account and of a transaction counts, by version and by sequence.
 */
export function overlaid<Read extends Gathered>(read: Read, before: readonly WorkingSet[]): Read {
  if (before.length === 0) return read
  const accounts = new Map(read.accounts.map((account) => [account.id, account]))
  const transactions = new Map(read.transactions.map((open) => [open.row.id, open]))
  const counters = new Map(read.counters?.map((one) => [one.holder_id, one]))
  const messages = [...read.messages]
  const chips = new Map(read.chips?.map((chip) => [chip.id, chip]))
  for (const batch of before) {
    const changed = batch.changedAccounts.map(written)
    // Counters of an account have its version, which a batch may raise without counting (D-907).
    const versions = new Map(changed.map(({ id, version }) => [id, version]))
    for (const account of changed) lay(accounts, account)
    for (const one of batch.counters.changed)
      layCounters(counters, { ...one, version: versions.get(one.holder_id) ?? one.version + 1n })
    for (const row of batch.created) layTransaction(transactions, read, row)
    for (const { row } of batch.changed) layTransaction(transactions, read, row)
    for (const chip of batch.chips.changed) layChip(chips, chip)
    messages.push(...batch.messages, ...batch.making)
  }
  return {
    ...read,
    accounts: [...accounts.values()],
    transactions: [...transactions.values()],
    messages,
    counters: [...counters.values()],
    chips: [...chips.values()],
  }
}

const written = (account: Account): Account => ({ ...account, version: account.version + 1n })

function lay(accounts: Map<string, Account>, account: Account): void {
  const read = accounts.get(account.id)
  if (read && read.version < account.version) accounts.set(account.id, account)
}

function layCounters(counters: Map<string, HolderCounters>, one: HolderCounters): void {
  const read = counters.get(one.holder_id)
  if (read && read.version < one.version) counters.set(one.holder_id, laidOver(read, one))
}

/** A chip that was not read before its first message is taken too. */
function layChip(chips: Map<string, Chip>, { version, ...chip }: Chip): void {
  const written = { ...chip, version: version + 1n }
  const read = chips.get(chip.id)
  if (!read || read.version < written.version) chips.set(chip.id, written)
}

function layTransaction(
  transactions: Map<string, OpenTransaction>,
  { cards }: Gathered,
  row: OpenTransaction['row'],
): void {
  if (row.card_id === null || !cards.has(row.card_id)) return
  const read = transactions.get(row.id)
  const { length: read_sequence } = row.events
  if (!read || read.read_sequence < read_sequence) transactions.set(row.id, { row, read_sequence })
}
