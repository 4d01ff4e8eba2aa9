/**
 * The text of events as it is signed, sent and fed. Most lie in their row as they were written; an
 * event of a transaction is told from that transaction's own history, the same at every attempt.
 */

import { tellTransactions } from '#issuing/transactions/transactions.ts'
import type { Context } from '#kit/context.ts'
import { eventText } from '#kit/outbox.ts'

export type EventRow = {
  id: string
  event: string
  object_id: string
  sequence: number
  created: Date
  /** The stored text, or null where the object's history tells it. */
  payload: string | null
}

export async function tellEvents(ctx: Context, rows: readonly EventRow[]): Promise<string[]> {
  const untold = rows.filter(({ payload }) => payload === null)
  const payloads = await tellTransactions(ctx, untold)
  const told = new Map(untold.map((row, at) => [row.id, payloads[at]]))
  return rows.map(({ id, event, created, payload }) => {
    if (payload !== null) return payload
    return eventText({ id, event, created, payload: told.get(id) ?? {} })
  })
}
