/** A simulated authorization that is decided and leaves nothing behind (D-468). */

import { preview } from '#issuing/authorization/authorization.ts'
import { present, tracePresented } from '#issuing/transactions/rules.ts'
import { transact } from '#kit/context.ts'
import { keepAnswer } from '#kit/http/idempotency.ts'
import { formatAmount } from '#lib/money.ts'
import { type Simulated, sendAuthorization } from './network.ts'
import type { SimulatedAuthorization, SimulatedDecision } from './schema.ts'

/** Under an idempotency key only the answer is stored, as of every request (D-10). */
export async function whatIf(
  { ctx, keep }: Pick<Simulated, 'ctx' | 'keep'>,
  body: SimulatedAuthorization,
): Promise<SimulatedDecision> {
  const { row, max_approved_amount } = await sendAuthorization(ctx, body, (request) =>
    preview(ctx, request),
  )
  const { card_id, account_id, user_id, transaction_type, ...shown } = present(row)
  const { status, status_code, status_description, amount, currency } = shown
  const decision: SimulatedDecision = {
    ...(card_id !== undefined && { card_id }),
    ...(account_id !== undefined && { account_id }),
    ...(user_id !== undefined && { user_id }),
    transaction_type,
    status,
    status_code,
    status_description,
    amount,
    currency,
    max_approved_amount: formatAmount(max_approved_amount, currency),
    checks: tracePresented(row.trace),
  }
  if (keep) await transact(ctx, (tx) => keepAnswer(tx, keep.key, keep.finish(decision)))
  return decision
}
