/**
 * The answer that a request would get, without an effect: the reading and the decision are those of
 * a batch, and nothing is written (D-468).
 */

import { sql } from 'kysely'
import type { TransactionRow } from '#issuing/transactions/rules.ts'
import type { Context } from '#kit/context.ts'
import { kindOf } from '../decide/kinds.ts'
import { largestApproved } from '../decide/largest.ts'
import type { AuthorizationRequest } from '../schema.ts'
import { decideBatch } from './batch.ts'
import { gather, type ReadBatch } from './gathering/gather.ts'
import { CardQueue, Pending, place } from './pending.ts'
import { Products } from './store/products.ts'

export type Preview = {
  /** The transaction as it would be; it is stored nowhere. */
  row: TransactionRow
  /**
   * The largest amount that would be approved whole, minor units of the request's currency; zero if
   * there is none, or if the request is about no money.
   */
  max_approved_amount: bigint
}

/** No proof is waited for longer. */
const PROOFS_MS = 4_000

/** Reads one state of the database; a batch that is not committed yet is not seen. */
export async function preview(ctx: Context, request: AuthorizationRequest): Promise<Preview> {
  const found = await ctx.db.runTransaction(async (db) => {
    await sql`set transaction isolation level repeatable read, read only`.execute(db)
    const reading = { ...ctx, db }
    // Products of its own: those that a process keeps may be older than this state.
    const products = new Products()
    const pending = new Pending({ request }, new CardQueue(''))
    return gather({ ctx: reading, locking: false }, products, [pending])
  })
  await proveAll(ctx, found, request)
  const { row } = decideOne(ctx, found, request)
  const isOfMoney = kindOf({ ...request, amount: 1n }).direction !== 'none'
  const whole = { ...request, partial_capable: false }
  const max_approved_amount = isOfMoney
    ? largestApproved((amount) => decideOne(ctx, found, { ...whole, amount }).answer)
    : 0n
  return { row, max_approved_amount }
}

/** Asks the security module, as far as it has to find out something. */
async function proveAll(ctx: Context, found: ReadBatch, request: AuthorizationRequest) {
  const { proving } = ctx.custody
  const [pending] = found.taken
  if ('proofs' in proving || !pending) return
  pending.inquiry = proving.inquire()
  for (;;) {
    const { questions } = decideBatch(ctx, copyOf(found, request), [])
    const [question] = questions.values()
    if (!question || !('ask' in question)) return
    await question.ask(PROOFS_MS)
  }
}

/** The request in the place of one that the same was read for. */
function inPlaceOf(read: Pending, request: AuthorizationRequest): Pending {
  const pending = new Pending({ request }, read.queue)
  place(pending, read)
  // The proofs of the request are known of it with another amount, too.
  pending.inquiry = read.inquiry
  return pending
}

const copyOf = (found: ReadBatch, request: AuthorizationRequest): ReadBatch => ({
  ...found,
  taken: found.taken.map((one) => inPlaceOf(one, request)),
  transactions: structuredClone(found.transactions),
})

/** Decides on copies, so that one decision does not see another. */
function decideOne(ctx: Context, found: ReadBatch, request: AuthorizationRequest) {
  const { workingSet, answers } = decideBatch(ctx, copyOf(found, request), [], { proves: false })
  const [answer] = answers
  const row = workingSet.transaction(answer?.transaction_id)
  if (!answer || !row) throw new Error('a request without a decision')
  return { answer, row }
}
