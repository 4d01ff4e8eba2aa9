/** Amounts at the edge: what was asked becomes minor units, rows become answers. */

import { fulfillmentOfBulks } from '#issuing/cards/cards.ts'
import type { Context } from '#kit/context.ts'
import { formatAmount, parseAmount } from '#lib/money.ts'
import type { Fault } from '#lib/result.ts'
import type { BulkRequest, BulkRow } from './store.ts'

/** Minor units, or the fault of `amount` (D-6); nothing to preload is said by leaving it out. */
export function readPreload(
  amount: number | string,
  currency: string,
): { amount: bigint } | { faults: Fault[] } {
  const parsed = parseAmount(amount, currency)
  if (!parsed.ok) return { faults: [{ path: 'amount', message: parsed.message }] }
  if (parsed.minor > 0n) return { amount: parsed.minor }
  return { faults: [{ path: 'amount', message: 'must be above zero' }] }
}

const shownAmount = (amount: bigint | null, currency: string) =>
  amount === null ? null : formatAmount(amount, currency)

export async function presentBulks(ctx: Context, rows: readonly BulkRow[]) {
  const ids = rows.map(({ id }) => id)
  const fulfillment = await fulfillmentOfBulks(ctx, ids)
  return rows.map((row) => ({
    ...row,
    amount: shownAmount(row.amount, row.currency),
    dry_run: false,
    fulfillment_status: fulfillment.get(row.id) ?? null,
  }))
}

export async function presentBulk(ctx: Context, row: BulkRow) {
  const [shown] = await presentBulks(ctx, [row])
  if (!shown) throw new Error('one row shows as one bulk issuance')
  return shown
}

/** What would have come of it, had it been meant. */
export function presentRehearsed({ now }: Context, request: BulkRequest) {
  return {
    ...request,
    status: 'COMPLETED' as const,
    amount: shownAmount(request.amount, request.currency),
    issued_cards: request.number_of_cards,
    failed_cards: 0,
    dry_run: true,
    created: now,
    modified: now,
  }
}
