/**
 * Public functions of the transactions slice: the engine writes its decisions, clients read them.
 */

import type { Context, Tx } from '#kit/context.ts'
import { Write } from '#kit/db/write.ts'
import { listPage } from '#kit/http/lists.ts'
import { newId, timeOfId } from '#lib/id.ts'
import type { Page } from '#lib/paging.ts'
import { ApiError } from '#lib/result.ts'
import type { TransactionPayload } from './events.ts'
import { asOf, present, type TransactionRow, tracePresented } from './rules.ts'
import type { Transaction, TransactionQuery } from './schema.ts'
import { filterOf } from './search.ts'
import {
  type ChangedTransaction,
  findTrace,
  findTransactionRow,
  insertTransactions,
  listTransactionRows,
  listTransactionsByIds,
  updateTransactions,
} from './store.ts'

export { auditTransactions } from './audit.ts'
export type { ChangedTransaction, DecisionRange } from './store.ts'
export { listDecisionRows, listTransactionsByIds } from './store.ts'
export { readTransaction, type StoredTransaction } from './stored.ts'

/** A transaction, presented (D-46). */
export async function findTransaction(ctx: Context, id: string): Promise<Transaction> {
  return present(await findStoredTransaction(ctx, id))
}

/** A transaction with amounts in minor units. */
export async function findStoredTransaction(ctx: Context, id: string): Promise<TransactionRow> {
  const row = await findTransactionRow(ctx, id)
  if (!row) throw new ApiError('not_found')
  return row
}

/** Newest first; the filters are those of D-46 and D-622. */
export async function listTransactions(
  ctx: Context,
  query: TransactionQuery,
): Promise<Page<Transaction>> {
  const filter = filterOf(query, { now: ctx.now, ids: timeOfId(newId()) })
  const page = await listPage('transactions', query, (range) =>
    listTransactionRows(ctx, filter, range),
  )
  return { ...page, data: page.data.map(present) }
}

/** The checks of a decision in their order (D-45). */
export async function readTrace(ctx: Context, id: string) {
  const row = await findTrace(ctx, id)
  if (!row) throw new ApiError('not_found')
  return { transaction_id: id, status_code: row.status_code, checks: tracePresented(row.trace) }
}

/** The changes that a batch of the engine made to transactions. */
export type TransactionWrites = {
  created: readonly TransactionRow[]
  changed: readonly ChangedTransaction[]
}

export function writeTransactions(tx: Tx, writes: TransactionWrites): Write {
  return Write.all(
    tx.db,
    insertTransactions(tx, writes.created),
    updateTransactions(tx, writes.changed),
  )
}

/** A TRANSACTION event to be rendered: which transaction, and after which of its events. */
export type TransactionEventRef = { object_id: string; sequence: number }

/**
 * The payload of each event (D-61), in the order of the refs; undefined if there is no transaction.
 */
export async function renderTransactions(
  ctx: Context,
  refs: readonly TransactionEventRef[],
): Promise<(TransactionPayload | undefined)[]> {
  const ids = [...new Set(refs.map(({ object_id }) => object_id))]
  const rows = new Map((await listTransactionsByIds(ctx, ids)).map((row) => [row.id, row]))
  return refs.map(({ object_id, sequence }) => {
    const row = rows.get(object_id)
    return row && { card_transaction: present(asOf(row, sequence)) }
  })
}
