/**
 * Front door of the transactions slice: what the engine keeps of its decisions, and who reads it.
 */

import type { Context, Tx } from '#kit/context.ts'
import { type Page, pageOf } from '#lib/pages.ts'
import { Refusal } from '#lib/ruling.ts'
import { formatInstant } from '#lib/time.ts'
import { present, type TransactionRow, tracePresented } from './rules.ts'
import type { Transaction } from './schema.ts'
import {
  insertTransactions,
  selectTrace,
  selectTransaction,
  selectTransactions,
  type TransactionFilter,
  updateTransactions,
} from './store.ts'

/** A transaction, presented (D-46). Throws Refusal `not_found`. */
export async function findTransaction(ctx: Context, id: string): Promise<Transaction> {
  const row = await selectTransaction(ctx, id)
  if (!row) throw new Refusal('not_found')
  return present(row)
}

/** Newest first; the filters are those of D-46. */
export async function listTransactions(
  ctx: Context,
  filter: TransactionFilter,
): Promise<Page<Transaction>> {
  const rows = await selectTransactions(ctx, filter)
  const page = pageOf(rows, filter.limit, ({ id, created }) => ({
    id,
    created: formatInstant(created),
  }))
  return { ...page, data: page.data.map(present) }
}

/** The checks of a decision in their order (D-45). */
export async function readTrace(ctx: Context, id: string) {
  const row = await selectTrace(ctx, id)
  if (!row) throw new Refusal('not_found')
  return { transaction_id: id, status_code: row.status_code, checks: tracePresented(row.trace) }
}

/** What a batch of the engine did to transactions. The caller holds the locks of their accounts. */
export type TransactionWrites = {
  created: readonly { row: TransactionRow; trace: unknown }[]
  changed: readonly TransactionRow[]
}

export async function writeTransactions(tx: Tx, writes: TransactionWrites): Promise<void> {
  await Promise.all([
    insertTransactions(tx, writes.created),
    updateTransactions(tx, writes.changed),
  ])
}
