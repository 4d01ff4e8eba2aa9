/** Public functions of the rates slice: rates of exchange and their history (D-51, D-455). */

import { findTenant } from '#issuing/tenants/tenants.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { gather } from '#kit/gather.ts'
import { asInvalid } from '#kit/http/answers/problems.ts'
import { listPage } from '#kit/http/lists.ts'
import type { ListQuery } from '#kit/http/schema.ts'
import { newId } from '#lib/id.ts'
import type { Page } from '#lib/paging.ts'
import { unwrap } from '#lib/result.ts'
import { readRates } from './rules.ts'
import type { Rate, RatesChange } from './schema.ts'
import {
  insertRates,
  listRateRows,
  lockRates,
  type RateFilter,
  type RateRow,
  updateReplaced,
} from './store.ts'

export {
  type AppliedRate,
  type CurrencyPair,
  countStillApplied,
  listAppliedRates,
} from './store.ts'

/**
 * Sets rates of a tenant, or of all tenants that have no own one. They act on the next
 * authorization of every process; the replaced ones are kept.
 */
export function setRates(
  ctx: Context | Tx,
  { tenant_id = null, rates }: { tenant_id?: string | null } & Pick<RatesChange, 'rates'>,
): Promise<{ rates: Rate[] }> {
  return transact(ctx, async (tx) => {
    const gathered = await gather(
      async () => unwrap(readRates(rates)),
      async () =>
        tenant_id !== null &&
        findTenant(tx, tenant_id).catch(asInvalid('tenant_id', 'names no tenant')),
    )
    const [added] = gathered.complete()
    await lockRates(tx)
    const rows = added.map(({ from, to, rate }) => ({
      id: newId(),
      tenant_id,
      from_currency: from,
      to_currency: to,
      rate,
      created: tx.now,
      replaced: null,
    }))
    await updateReplaced(tx, tenant_id, added)
    if (tenant_id !== null) tx.audited?.within(tenant_id, tx.now)
    await insertRates(tx, rows)
    return { rates: rows.map(rateOf) }
  })
}

/** Rates in force, or with `history` all that ever were, newest first. */
export async function listRates(ctx: Context, query: ListQuery & RateFilter): Promise<Page<Rate>> {
  const page = await listPage('rates', query, (range) => listRateRows(ctx, query, range))
  return { ...page, data: page.data.map(rateOf) }
}

function rateOf(row: RateRow): Rate {
  const { id, tenant_id, from_currency, to_currency, rate, created, replaced } = row
  return {
    id,
    from: from_currency,
    to: to_currency,
    rate,
    created,
    ...(tenant_id !== null && { tenant_id }),
    ...(replaced !== null && { replaced }),
  }
}
