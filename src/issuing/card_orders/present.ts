/** Makes API answers of stored batches. */

import type { Counts, OrderRow } from './store.ts'

export function presentOrder(row: OrderRow, counts: Counts | undefined) {
  const { id, card_product_id, state, bureau, file_name, count, attempts, created, modified } = row
  return {
    id,
    card_product_id,
    state,
    bureau,
    file_name,
    count,
    answered: counts?.answered ?? 0,
    rejected: counts?.rejected ?? 0,
    digest: row.digest,
    fault: row.fault,
    attempts,
    sent: row.sent,
    completed: row.answered,
    created,
    modified,
  }
}
