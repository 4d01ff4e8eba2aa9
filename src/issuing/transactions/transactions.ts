/**
 * Front door of the transactions slice: what the engine keeps of its decisions, and who reads it.
 */

import { sql } from 'kysely'
import type { Context, Tx } from '#kit/context.ts'
import type { SequencedEvent } from '#kit/outbox.ts'
import { type Page, pageOf } from '#lib/pages.ts'
import { Refusal } from '#lib/ruling.ts'
import { formatInstant } from '#lib/time.ts'
import { present, type TransactionRow, tracePresented } from './present.ts'
import type { Transaction } from './schema.ts'
import {
  insertTransactions,
  selectTrace,
  selectTransaction,
  selectTransactions,
  type TransactionFilter,
  updateTransactions,
} from './store.ts'

export type { StoredEvent, StoredTrace, TransactionRow } from './present.ts'
export { present } from './present.ts'

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

/** The TRANSACTION event of a new or changed transaction: its events number it (D-61). */
export function transactionEvent(
  row: TransactionRow,
  event: 'TRANSACTION' | 'EXPIRED_AUTH' = 'TRANSACTION',
): SequencedEvent {
  return {
    event,
    object_id: row.id,
    sequence: row.events.length,
    payload: { card_transaction: present(row) },
  }
}

/** Transactions by id, for callers that hold their accounts' locks. */
export async function loadTransactions(tx: Tx, ids: readonly string[]): Promise<TransactionRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<TransactionRow>`
    select * from transactions
    where tenant_id = ${tx.tenant_id} and id = any (${ids}::uuid[])`.execute(tx.db)
  return rows
}
