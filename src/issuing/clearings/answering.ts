/** Moves of disputes by records of files, each in the transaction of its record (D-1063). */

import { listAnswerable, recordNetworkMove } from '#issuing/disputes/disputes.ts'
import type { AnswerableDispute } from '#issuing/disputes/schema.ts'
import { clearedOf } from '#issuing/transactions/rules.ts'
import { findStoredTransaction } from '#issuing/transactions/transactions.ts'
import { type Context, transact } from '#kit/context.ts'
import { NOTE_LENGTH } from '#kit/http/schema.ts'
import { formatAmount, portionOf } from '#lib/money.ts'
import { listPresented } from './match_store.ts'
import { type RecordRow, updateDecided } from './record_store.ts'
import type { Answer, Answerable } from './rules/answers.ts'

/** Disputes by the acquirer reference data of their presentments. */
export async function findAnswerable(
  ctx: Context,
  ards: readonly string[],
): Promise<Map<string, Answerable[]>> {
  const presented = await listPresented(ctx, ards)
  const ids = [...new Set(presented.map(({ transaction_id }) => transaction_id))]
  const disputes = await Promise.all(
    (await listAnswerable(ctx, ids)).map((one) => withAbroad(ctx, one)),
  )
  const byTransaction = Map.groupBy(disputes, ({ transaction_id }) => transaction_id)
  const byReference = new Map<string, Answerable[]>()
  for (const { ard, transaction_id } of presented) {
    const known = byReference.get(ard) ?? []
    byReference.set(ard, [...known, ...(byTransaction.get(transaction_id) ?? [])])
  }
  return byReference
}

/** Adds the disputed share of the payment in its own currency. */
async function withAbroad(ctx: Context, dispute: AnswerableDispute): Promise<Answerable> {
  const row = await findStoredTransaction(ctx, dispute.transaction_id)
  const { currency, cleared_amount } = row
  if (currency === dispute.currency || cleared_amount === 0n) return dispute
  const amount = portionOf(clearedOf(row), cleared_amount, dispute.amount)
  return { ...dispute, abroad: { amount, currency } }
}

const NETWORK = { kind: 'network', id: 'clearing' } as const

/** Fails where the dispute or the record has changed since they were read; nothing is kept then. */
export async function answerDispute(
  ctx: Context,
  { file_id, number }: Pick<RecordRow, 'file_id' | 'number'>,
  answer: Answer,
): Promise<void> {
  const { id, currency, transaction_id } = answer.dispute
  const place = `record ${number} of clearing file ${file_id}`
  await transact({ ...ctx, actor: NETWORK }, async (tx) => {
    if (answer.step === 'REPRESENT') {
      const amount = formatAmount(answer.amount, currency)
      await recordNetworkMove(tx, id, { step: 'REPRESENT', amount, note: `By ${place}` })
    } else {
      const note = `${answer.note} (${place})`.slice(0, NOTE_LENGTH)
      await recordNetworkMove(tx, id, { step: 'REJECT', note })
    }
    const decided = { file_id, number, state: 'POSTED', transaction_id, dispute_id: id } as const
    const none = { status_code: null, reason: null, booked: undefined }
    await updateDecided(tx, [{ ...decided, ...none }]).start()
  })
}
