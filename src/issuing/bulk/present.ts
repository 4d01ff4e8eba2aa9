/** Reads amounts of requests as minor units and makes API answers of rows. */

import { listFulfillmentOfBulks } from '#issuing/cards/cards.ts'
import type { Context } from '#kit/context.ts'
import { formatAmount, parseAmount } from '#lib/money.ts'
import type { Fault } from '#lib/result.ts'
import type { BulkRequest, BulkRow } from './store.ts'

/** Minor units, or the fault of `amount` (D-6); for no preload the amount is left out. */
export function readPreload(
  amount: number | string,
  currency: string,
): { amount: bigint } | { faults: Fault[] } {
  const parsed = parseAmount(amount, currency)
  if (!parsed.ok) return { faults: [{ path: 'amount', message: parsed.message }] }
  if (parsed.minor > 0n) return { amount: parsed.minor }
  return { faults: [{ path: 'amount', message: 'must be above zero' }] }
}

const presentAmount = (amount: bigint | null, currency: string) =>
  amount === null ? null : formatAmount(amount, currency)

export async function presentBulks(ctx: Context, rows: readonly BulkRow[]) {
  const ids = rows.map(({ id }) => id)
  const fulfillment = await listFulfillmentOfBulks(ctx, ids)
  return rows.map((row) => ({
    ...row,
    amount: presentAmount(row.amount, row.currency),
    dry_run: false,
    fulfillment_status: fulfillment.get(row.id) ?? null,
  }))
}

export async function presentBulk(ctx: Context, row: BulkRow) {
  const [bulk] = await presentBulks(ctx, [row])
  if (!bulk) throw new Error('one row presents one bulk issuance')
  return bulk
}

/** The answer to a dry run: the bulk issuance that the request would have created. */
export function presentDryRun({ now }: Context, request: BulkRequest) {
  return {
    ...request,
    status: 'COMPLETED' as const,
    amount: presentAmount(request.amount, request.currency),
    issued_cards: request.number_of_cards,
    failed_cards: 0,
    dry_run: true,
    created: now,
    modified: now,
  }
}
