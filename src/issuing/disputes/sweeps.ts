/** Deadlines of disputes on the tenant's clock: reported ahead, and what they end (D-1061). */

import { emit } from '#events/outbox.ts'
import { type Tx, transact } from '#kit/context.ts'
import type { Sweep } from '#kit/jobs/sweep.ts'
import { deadlineNear } from './events.ts'
import { moveDispute } from './moves.ts'
import {
  disputesDue,
  findDisputeRow,
  listDueDisputes,
  lockDisputeRow,
  updateDisputeRow,
} from './store.ts'

/** Disputes of one turn, each in a transaction of its own: it locks an account. */
const PORTION = 20

export const disputeSweeps: readonly Sweep[] = [
  {
    ...disputesDue,
    run: async (ctx) => {
      const ids = await listDueDisputes(ctx, PORTION)
      for (const id of ids) await transact(ctx, (tx) => workOn(tx, id))
      return { more: ids.length === PORTION }
    },
  },
]

/** The account is locked before its dispute, so the deadline is looked at without a lock first. */
async function workOn(tx: Tx, id: string): Promise<void> {
  const seen = await findDisputeRow(tx, id)
  if (seen?.deadline && seen.deadline <= tx.now) {
    await moveDispute(tx, id, { step: 'EXPIRE' })
    return
  }
  const row = await lockDisputeRow(tx, id)
  if (!row?.due || !row.deadline || row.due > tx.now || row.alerted) return
  const after = { ...row, due: row.deadline, alerted: true }
  await updateDisputeRow(tx, after)
  await emit(tx, deadlineNear(after))
}
