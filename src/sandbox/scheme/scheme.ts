/** The simulated scheme: it answers disputes at once by calls, and in days by amounts (D-1064). */

import { findDispute, moveDispute, recordNetworkMove } from '#issuing/disputes/disputes.ts'
import type { Dispute } from '#issuing/disputes/schema.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { formatAmount } from '#lib/money.ts'
import { ApiError } from '#lib/result.ts'
import { answerTo, paths } from './rules.ts'
import type { SimulatedRepresentment } from './schema.ts'
import type { Unanswered } from './store.ts'

/** Leads a dispute to where the call asks, by all steps between; 409 from where no path leads. */
export function simulateAnswer(
  ctx: Context | Tx,
  id: string,
  call: keyof typeof paths,
  { amount, note }: SimulatedRepresentment,
): Promise<Dispute> {
  return transact(ctx, async (tx) => {
    const before = await findDispute(tx, id)
    const path = paths[call][before.status]
    if (!path) {
      throw new ApiError('dispute_move_refused', { extra: { dispute_status: before.status } })
    }
    let after = before
    for (const step of path) {
      const noted = note === undefined ? {} : { note }
      const part = step === 'REPRESENT' && amount !== undefined ? { amount } : {}
      after =
        step === 'ARBITRATE' || step === 'WITHDRAW'
          ? await moveDispute(tx, id, { step, ...noted })
          : await recordNetworkMove(tx, id, { step, ...noted, ...part })
    }
    return after
  })
}

const NETWORK = { kind: 'network', id: 'simulated' } as const

/** The next step of the scheme in a dispute whose days are over. */
export async function answer(swept: Context | Tx, one: Unanswered): Promise<void> {
  const ctx = { ...swept, actor: NETWORK }
  const { id, outgoing, status, amount } = one
  const rule = answerTo(amount)
  if (outgoing === 'CHARGEBACK' && rule?.first === 'REJECT') {
    const note = 'The centre rejected the chargeback: 0691, wrong documentation indicator.'
    await recordNetworkMove(ctx, id, { step: 'REJECT', note })
  } else if (outgoing !== null) {
    await recordNetworkMove(ctx, id, { step: 'SENT' })
  } else if (status === 'PRE_ARBITRATION' && rule) {
    await recordNetworkMove(ctx, id, { step: rule.verdict })
  } else if (rule && rule.first !== 'REJECT') {
    const { currency } = await findDispute(ctx, id)
    const half = rule.half && { amount: formatAmount(amount / 2n, currency) }
    await recordNetworkMove(ctx, id, { step: rule.first, ...half })
  }
}
