/** Disputes that a merchant has not answered in time are lost (D-1065). */

import { type Tx, transact } from '#kit/context.ts'
import type { Sweep } from '#kit/jobs/sweep.ts'
import { moveChargeback } from './chargebacks.ts'
import { chargebacksDue, findChargeback, listDueChargebacks } from './store.ts'

/** Disputes of one turn, each in a transaction of its own: it locks an order. */
const PORTION = 20

export const chargebackSweeps: readonly Sweep[] = [
  {
    ...chargebacksDue,
    run: async (ctx) => {
      const ids = await listDueChargebacks(ctx, PORTION)
      for (const id of ids) await transact(ctx, (tx) => expire(tx, id))
      return { more: ids.length === PORTION }
    },
  },
]

async function expire(tx: Tx, id: string): Promise<void> {
  const row = await findChargeback(tx, id)
  if (row?.respond_by && row.respond_by <= tx.now) await moveChargeback(tx, id, 'EXPIRE')
}
