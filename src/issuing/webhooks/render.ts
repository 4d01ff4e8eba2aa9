/**
 * The text of events as it is signed, sent and listed. Most are stored in their row; an event of a
 * transaction is rendered from the transaction's history, the same at every attempt.
 */

import { eventText } from '#events/outbox.ts'
import { renderTransactions } from '#issuing/transactions/transactions.ts'
import type { Context } from '#kit/context.ts'

export type EventRow = {
  id: string
  event: string
  object_id: string
  sequence: number
  created: Date
  /** The stored text, or null if it is rendered from the object's history. */
  payload: string | null
}

export async function renderEvents(ctx: Context, rows: readonly EventRow[]): Promise<string[]> {
  const unrendered = rows.filter(({ payload }) => payload === null)
  const payloads = await renderTransactions(ctx, unrendered)
  const rendered = new Map(unrendered.map((row, at) => [row.id, payloads[at]]))
  return rows.map(({ id, event, created, payload }) => {
    if (payload !== null) return payload
    return eventText({ id, event, created, payload: rendered.get(id) ?? {} })
  })
}
