/** Public functions of the log of messages of the card network. */

import { namedFields } from '#iso8583/named.ts'
import { findStoredTransaction } from '#issuing/transactions/transactions.ts'
import type { Context } from '#kit/context.ts'
import type { WireMessages } from './schema.ts'
import { listWireRows } from './store.ts'
import type { WireLog } from './wire_log.ts'

export { type Exchange, type OnWire, WireLog } from './wire_log.ts'

/** Oldest first. Messages that this process still holds are written before. */
export async function listMessages(
  ctx: Context,
  log: WireLog | null,
  transaction_id: string,
): Promise<WireMessages> {
  await findStoredTransaction(ctx, transaction_id)
  await log?.flush()
  const rows = await listWireRows(ctx, transaction_id)
  const data = rows.map(({ created, fields, ...row }) => ({
    ...row,
    at: created,
    fields: namedFields(fields),
  }))
  return { data, recorded: log !== null }
}
